import { describe, expect, it } from "vitest";
import {
  answerLine,
  bufferPrefix,
  enterAgainLine,
  enterLine,
  epochOption,
  fenceLine,
  killLine,
  pasteLine,
  probeLine,
  screenLine,
  windowLine,
} from "../../../src/tmux/lines.js";

const AT = { pane: "%7", terminal: "TERM", instance: "inst", epoch: "3-ab" };

describe("pasteLine", () => {
  it("is the proven line, with the instance in it", () => {
    expect(pasteLine(AT, "D1", 'say "$HOME"\n;')).toBe(
      'set-buffer -b quay-inst-D1 -- "say \\"\\$HOME\\"\\012;" ; if-shell -F -t %7 ' +
        '"#{&&:#{==:#{@quay_epoch_inst}/#{pane_id}/#{@quay_id}/#{@quay_instance}/#{pane_dead}/#{pane_input_off}/#{pane_in_mode},3-ab/%7/TERM/inst/0/0/0},#{!=:#{QUAY_PASTE_7},D1}}" ' +
        "\"set-environment -g -h QUAY_PASTE_7 D1 ; paste-buffer -p -r -t %7 -b quay-inst-D1 ; display-message -p -t %7 'quay D1 PASTED'\" " +
        "\"display-message -p -t %7 'quay D1 REFUSED #{?#{!=:#{@quay_epoch_inst},3-ab},STALE-EPOCH ,}#{?#{!=:#{s/[^0-9]//:pane_id},7},MISSING ,}#{?#{!=:#{@quay_id}/#{@quay_instance},TERM/inst},OTHER-TERMINAL ,}#{?#{==:#{pane_dead},1},DEAD ,}#{?#{==:#{pane_input_off},1},INPUT-OFF ,}#{?#{==:#{QUAY_PASTE_7},D1},ALREADY ,}#{?#{!=:#{pane_in_mode},0},MODE ,}'\" ; " +
        "delete-buffer -b quay-inst-D1",
    );
  });

  it("refuses an empty text, and any id that is not one", () => {
    expect(() => pasteLine(AT, "D1", "")).toThrow(RangeError);
    expect(() => pasteLine(AT, "D 1", "x")).toThrow(RangeError);
    expect(() => pasteLine({ ...AT, pane: "quay:1" }, "D1", "x")).toThrow(RangeError);
    expect(() => pasteLine({ ...AT, terminal: "a'b" }, "D1", "x")).toThrow(RangeError);
    expect(() => pasteLine({ ...AT, epoch: "" }, "D1", "x")).toThrow(RangeError);
  });
});

describe("enterLine", () => {
  it("is the proven line with a gate", () => {
    expect(enterLine(AT, "D1", { patterns: ["run?the", "parser"], cursor: null })).toBe(
      'set-buffer -b quay-inst-D1-cr -- "\\015" ; if-shell -F -t %7 ' +
        '"#{&&:#{==:#{@quay_epoch_inst}/#{pane_id}/#{@quay_id}/#{@quay_instance}/#{pane_dead}/#{pane_input_off},3-ab/%7/TERM/inst/0/0},#{&&:#{==:#{QUAY_PASTE_7}/#{==:#{QUAY_ENTER_7},D1}/#{==:#{QUAY_ENTER_7},D1+2},D1/0/0},#{||:#{!=:#{C:run?the},0},#{!=:#{C:parser},0}}}}" ' +
        "\"set-environment -g -h QUAY_ENTER_7 D1 ; paste-buffer -r -t %7 -b quay-inst-D1-cr ; display-message -p 'quay D1 ENTERED'\" " +
        "\"display-message -p -t %7 'quay D1 REFUSED #{?#{!=:#{@quay_epoch_inst},3-ab},STALE-EPOCH ,}#{?#{!=:#{s/[^0-9]//:pane_id},7},MISSING ,}#{?#{!=:#{@quay_id}/#{@quay_instance},TERM/inst},OTHER-TERMINAL ,}#{?#{==:#{pane_dead},1},DEAD ,}#{?#{==:#{pane_input_off},1},INPUT-OFF ,}#{?#{||:#{==:#{QUAY_ENTER_7},D1},#{==:#{QUAY_ENTER_7},D1+2}},ALREADY ,}#{?#{!=:#{QUAY_PASTE_7},D1},NOT-PASTED ,}#{?#{||:#{!=:#{C:run?the},0},#{!=:#{C:parser},0}},,NO-ECHO }'\" ; " +
        "delete-buffer -b quay-inst-D1-cr",
    );
  });

  it("leaves the gate open without a pattern", () => {
    const line = enterLine(AT, "D1", { patterns: null, cursor: null });
    expect(line).toContain("D1/0/0},1}}");
    expect(line).not.toContain("NO-ECHO");
  });

  it("compares the cursor in the same step, alone or with the echo", () => {
    const cursor = { x: 12, y: 20 };
    const alone = enterLine(AT, "D1", { patterns: null, cursor });
    expect(alone).toContain("D1/0/0},#{==:#{cursor_x}/#{cursor_y},12/20}}}");
    expect(alone).toContain("#{?#{==:#{cursor_x}/#{cursor_y},12/20},,NO-ECHO }");
    expect(enterLine(AT, "D1", { patterns: ["parser"], cursor })).toContain(
      "D1/0/0},#{&&:#{==:#{cursor_x}/#{cursor_y},12/20},#{!=:#{C:parser},0}}}}",
    );
    for (const x of [-1, 1.5, Number.NaN, "1' ; kill-server" as unknown as number])
      expect(() => enterLine(AT, "D1", { patterns: null, cursor: { x, y: 0 } })).toThrow(RangeError);
  });

  it("refuses a pattern with anything but letters, digits and ?", () => {
    for (const pattern of ["a b", "a}", "a'b", "#{x}", ""])
      expect(() => enterLine(AT, "D1", { patterns: [pattern], cursor: null })).toThrow(RangeError);
    expect(() => enterLine(AT, "D1", { patterns: [], cursor: null })).toThrow(RangeError);
  });
});

describe("enterAgainLine", () => {
  it("demands the first Enter of this very delivery, and leaves its own mark", () => {
    const line = enterAgainLine(AT, "D1", { patterns: null, cursor: null });
    expect(line).toContain("#{==:#{QUAY_PASTE_7}/#{==:#{QUAY_ENTER_7},D1},D1/1},1}}");
    expect(line).toContain("set-environment -g -h QUAY_ENTER_7 D1+2 ; paste-buffer -r -t %7");
    expect(line).toContain("#{?#{==:#{QUAY_ENTER_7},D1+2},ALREADY ,}");
    expect(line).toContain("#{?#{||:#{==:#{QUAY_ENTER_7},D1},#{==:#{QUAY_ENTER_7},D1+2}},,NOT-ENTERED }");
  });
});

describe("the other lines", () => {
  it("fence by compare-and-set", () => {
    expect(fenceLine("inst", "", "1-a")).toBe(
      `if-shell -F "#{==:#{@quay_epoch_inst},}" "set-option -s @quay_epoch_inst 1-a ; display-message -p 'quay fence WON'" "display-message -p 'quay fence LOST #{@quay_epoch_inst}'"`,
    );
    expect(() => fenceLine("inst", "1 ; kill-server", "2-b")).toThrow(RangeError);
    expect(() => fenceLine("inst", "1-a", "")).toThrow(RangeError);
  });

  it("list only panes of the instance", () => {
    expect(probeLine("inst")).toMatch(/-f "#\{&&:#\{!=:#\{@quay_id\},\},#\{==:#\{@quay_instance\},inst\}\}" /);
  });

  it("answer with raw bytes, and with -S only where tmux has it", () => {
    const bytes = Buffer.from("\x1b]7501;\xff", "latin1");
    expect(answerLine(AT, 4, bytes, { raw: false })).toMatch(
      /^set-buffer -b quay-inst-q4 -- "\\033\]7501;\\377" ; if-shell .* "paste-buffer -r -t %7 -b quay-inst-q4" ; delete-buffer/,
    );
    expect(answerLine(AT, 4, bytes, { raw: true })).toContain("paste-buffer -r -S -t %7");
  });

  it("kill only a pane that is still this terminal's, and drop its markers", () => {
    const line = killLine("%7", "TERM", "inst", true);
    expect(line).toContain("#{&&:#{==:#{pane_id}/#{@quay_id}/#{@quay_instance},%7/TERM/inst},#{pane_dead}}");
    expect(line).toContain("set-environment -gu QUAY_PASTE_7 ; set-environment -gu QUAY_ENTER_7");
    expect(killLine("%7", "TERM", "inst", false)).not.toContain("pane_dead");
  });

  it("make a window and mark its pane in one line", () => {
    const line = windowLine({
      session: "$0",
      terminal: "T",
      instance: "inst",
      name: "a;b",
      cwd: "/x y",
      argv: ["p", "-q;"],
    });
    expect(line).toBe(
      'new-window -d -a -t "\\$0:{end}" -P -F "#{pane_id} #{pane_pid} #{window_id}" -n "a;b" -c "/x y" -- "p" "-q;"' +
        ' ; set-option -p -t "\\$0:{end}" remain-on-exit on ; set-option -p -t "\\$0:{end}" @quay_instance inst ; set-option -p -t "\\$0:{end}" @quay_id T',
    );
  });

  it("name what carries the instance", () => {
    expect(epochOption("inst")).toBe("@quay_epoch_inst");
    expect(bufferPrefix("inst")).toBe("quay-inst-");
    expect(screenLine("%7")).toContain("capture-pane -p -e -t %7");
  });
});
