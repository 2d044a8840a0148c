/**
 * The form of a preset file (DECISIONS S21, names by A8). Checks one file and knows nothing of folders or of what else
 * is there.
 */
import { z } from "zod";
import { isName } from "../bus/text.js";
import { approvalRules } from "./approval-rules.js";

const withoutNul = (field: string) =>
  z.string().refine((text) => !text.includes("\0"), `${field} holds a NUL character`);

/** A preset's and a seat's name follow the rule of session names. */
const NAME_RULE = `1 to 64 characters, no control characters, none of ' " [ ] ( ) : @ /, and no word for the person, Quay or its headers`;

const name = z.string().refine(isName, { error: (issue) => `${JSON.stringify(issue.input)} is no name: ${NAME_RULE}` });

const environment = z.record(
  z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "not the name of an environment variable"),
  withoutNul("the value"),
);

const kindOf = (kinds: readonly string[]) =>
  z.string().refine((kind) => kinds.includes(kind), {
    error: (issue) => `${JSON.stringify(issue.input)} is no run kind; known are ${kinds.join(", ")}`,
  });

export const presetSchema = (kinds: readonly string[]) =>
  z
    .strictObject({
      name,
      description: withoutNul("the description"),
      seats: z
        .array(
          z.strictObject({
            name,
            kind: kindOf(kinds),
            /** Relative to the folder that the preset is launched in, which is the default. */
            cwd: withoutNul("the folder").min(1).optional(),
            args: z.array(withoutNul("an argument")).optional(),
            env: environment.optional(),
            prompt: withoutNul("the prompt").min(1).optional(),
            worktree: z.boolean().optional(),
            /** Rules for tool calls that Quay approves by itself. */
            approve: approvalRules.optional(),
          }),
        )
        .min(1, "a preset needs at least one seat"),
    })
    .superRefine((preset, found) => {
      preset.seats.forEach((seat, at) => {
        if (preset.seats.findIndex((other) => other.name === seat.name) < at) {
          found.addIssue({
            code: "custom",
            path: ["seats", at, "name"],
            message: `two seats are called "${seat.name}"`,
          });
        }
      });
    });

export type Preset = z.output<ReturnType<typeof presetSchema>>;
