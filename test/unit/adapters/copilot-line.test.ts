import { describe, expect, it } from "vitest";
import { copilotLine } from "../../../src/adapters/copilot-line.js";
import { labelledScreens } from "../../support/labelled-screens.js";

const labelled = labelledScreens("copilot");

/** Every text that was pasted on one of the screens: none of them may be taken for another. */
const texts = [...new Set(labelled.flatMap(({ pasted }) => pasted ?? []))];

describe("real screens of Copilot", () => {
  it("are all there", () => {
    expect(labelled).toHaveLength(202);
  });

  it.each(labelled.map((row, index) => [`${index} ${row.label} ${row.cols}x${row.rows}`, row] as const))(
    "%s",
    (_, { label, state, dialog, pasted, screen }) => {
      expect(copilotLine.line(screen)).toBe(state);
      const named = copilotLine.dialog(screen);
      // A dialog that is known and not named in the fixture: any name will do.
      if (dialog === "some dialog") expect(named).not.toBeNull();
      else expect(named).toBe(dialog);
      if (pasted !== undefined) {
        expect(copilotLine.echo(screen, pasted)).toBe(label === "draft+paste" ? "mixed" : "ours");
        expect(copilotLine.echo(screen, `${pasted}\nand more`)).toBe("none");
        return;
      }
      // A draft of the same words is what it looks like.
      if (!label.startsWith("draft")) for (const text of texts) expect(copilotLine.echo(screen, text)).toBe("none");
    },
  );
});
