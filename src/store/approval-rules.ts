/** The form of a list of approval rules in a file of Quay's: each is read where it stands, and a bad one is named. */
import { z } from "zod";
import { parseRule } from "../bus/approval-rule.js";

const rule = z.string().superRefine((text, found) => {
  const parsed = parseRule(text);
  if (parsed.kind === "fault") {
    found.addIssue({ code: "custom", message: `${JSON.stringify(text)} is no approval rule: ${parsed.why}` });
  }
});

export const approvalRules = z.array(rule);
