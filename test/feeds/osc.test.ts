import { describe, expect, it } from "vitest";
import type { Signal } from "../../src/adapters/adapter.js";
import { terminalId } from "../../src/bus/ids.js";
import { createOscFeed } from "../../src/feeds/osc.js";
import { createOscScanner } from "../../src/tmux/osc-scanner.js";

const T = terminalId("t1");
const OTHER = terminalId("t2");
const RAW_MODE = "\x1b[?2004h\x1b[?2031h\x1b[?1004h\x1b[<u\x1b[>5u\x1b[>4;2m";
const QUERY_BEL = "\x1b]7501;?\x07";
const QUERY_ST = "\x1b]7501;?\x1b\\";
const report = (body: string): string => `\x1b]7501;${body}\x07`;
const base64 = (text: string): string => Buffer.from(text).toString("base64");

/** A clock that only goes on when told, and one turn of the microtask queue after each thing that was due. */
const createTimers = () => {
  let now = 0;
  let due: { readonly at: number; readonly run: () => void }[] = [];
  const pass = async (ms: number) => {
    const end = now + ms;
    for (;;) {
      await Promise.resolve()
        .then(() => Promise.resolve())
        .then(() => Promise.resolve());
      const next = due.filter((entry) => entry.at <= end).sort((a, b) => a.at - b.at)[0];
      if (next === undefined) break;
      now = Math.max(now, next.at);
      due = due.filter((entry) => entry !== next);
      next.run();
    }
    now = end;
  };
  const after = (ms: number, run: () => void) => {
    const entry = { at: now + ms, run };
    due.push(entry);
    return () => {
      due = due.filter((other) => other !== entry);
    };
  };
  return { now: () => now, after, pass, pending: () => due.length };
};

const setUp = (answer: () => Promise<void> = async () => {}) => {
  const timers = createTimers();
  const answers: string[] = [];
  const signals: Signal[] = [];
  const feed = createOscFeed({
    answer: (terminal, bytes) => {
      answers.push(`${terminal === T ? "" : `${terminal} `}${Buffer.from(bytes).toString("latin1")}`);
      return answer();
    },
    emit: (_, signal) => signals.push(signal),
    createScanner: createOscScanner,
    timers,
  });
  const write = (text: string, terminal = T) => feed.output(terminal, Buffer.from(text, "latin1"));
  return { feed, timers, answers, signals, write };
};

const status = (state: string, rest: object = {}) => ({
  kind: "programStatus",
  state,
  id: "",
  about: null,
  msg: "",
  ...rest,
});

describe("the early answer", () => {
  it("comes at the raw-mode mark, every 25 ms until the query, and once more with the query's ending", async () => {
    const { feed, timers, answers, write } = setUp();
    feed.open(T, { answerAt: "?2031h", answers: true });
    write(RAW_MODE);
    expect(answers).toEqual([QUERY_BEL]);
    await timers.pass(60);
    expect(answers).toEqual([QUERY_BEL, QUERY_BEL, QUERY_BEL]);
    write(`${QUERY_ST}\x1b[c`);
    expect(answers).toEqual([QUERY_BEL, QUERY_BEL, QUERY_BEL, QUERY_ST]);
    await timers.pass(5000);
    expect(answers).toHaveLength(4);
    expect(timers.pending()).toBe(0);
  });

  it("is given twice when mark and query come in one read", async () => {
    const { feed, timers, answers, write } = setUp();
    feed.open(T, { answerAt: "?2031h", answers: true });
    write(RAW_MODE + QUERY_BEL);
    await timers.pass(1000);
    expect(answers).toEqual([QUERY_BEL, QUERY_BEL]);
  });

  it("stops at a report, and does not start behind one", async () => {
    const { feed, timers, answers, write } = setUp();
    feed.open(T, { answerAt: "?2031h", answers: true });
    write(RAW_MODE);
    write(report("state=idle"));
    await timers.pass(1000);
    write(RAW_MODE);
    await timers.pass(1000);
    expect(answers).toHaveLength(1);
  });

  it("is given at most 40 times", async () => {
    const { feed, timers, answers, write } = setUp();
    feed.open(T, { answerAt: "?2031h", answers: true });
    write(RAW_MODE);
    await timers.pass(10_000);
    expect(answers).toHaveLength(40);
  });

  it("is never under way twice, and ends after 2 s when tmux is slow", async () => {
    const waiting: (() => void)[] = [];
    const { feed, timers, answers, write } = setUp(() => new Promise((resolve) => waiting.push(resolve)));
    feed.open(T, { answerAt: "?2031h", answers: true });
    write(RAW_MODE);
    await timers.pass(1900);
    expect(answers).toHaveLength(1);
    waiting.shift()?.();
    await timers.pass(150);
    expect(answers).toHaveLength(2);
    waiting.shift()?.();
    await timers.pass(1000);
    expect(answers).toHaveLength(2);
  });

  it("goes on when an answer fails", async () => {
    const { feed, timers, answers, write } = setUp(() => Promise.reject(new Error("tmux does not answer")));
    feed.open(T, { answerAt: "?2031h", answers: true });
    write(RAW_MODE);
    await timers.pass(30);
    write(QUERY_BEL);
    await timers.pass(30);
    expect(answers).toEqual([QUERY_BEL, QUERY_BEL, QUERY_BEL]);
  });

  it("starts only at the mark itself", async () => {
    const { feed, timers, answers, write } = setUp();
    feed.open(T, { answerAt: "?2031h", answers: true });
    write("\x1b[?2004h\x1b[?1004h\x1b[?2031l 2031h ?2031h");
    await timers.pass(100);
    expect(answers).toEqual([]);
  });

  it("never goes to a terminal whose adapter does not ask for it, not even at its query", async () => {
    const { feed, timers, answers, write } = setUp();
    feed.open(T, { answerAt: null, answers: false });
    write(RAW_MODE + QUERY_BEL);
    await timers.pass(1000);
    expect(answers).toEqual([]);
  });

  it("ends with the terminal, and starts anew when it is opened again", async () => {
    const { feed, timers, answers, write } = setUp();
    feed.open(T, { answerAt: "?2031h", answers: true });
    write(RAW_MODE);
    feed.close(T);
    write(RAW_MODE);
    await timers.pass(1000);
    expect(answers).toHaveLength(1);
    feed.open(T, { answerAt: "?2031h", answers: true });
    write(RAW_MODE);
    expect(answers).toHaveLength(2);
  });

  it("keeps terminals apart", () => {
    const { feed, answers, write } = setUp();
    feed.open(T, { answerAt: "?2031h", answers: true });
    feed.open(OTHER, { answerAt: "?2031h", answers: true });
    write("\x1b[?20");
    write("31h", OTHER);
    expect(answers).toEqual([]);
    write("31h");
    expect(answers).toEqual([QUERY_BEL]);
  });

  it("answers a flood of queries within bounds", async () => {
    const { feed, answers, write } = setUp(() => new Promise(() => {}));
    feed.open(T, { answerAt: "?2031h", answers: true });
    write(QUERY_BEL.repeat(1000));
    expect(answers.length).toBeLessThan(10);
  });

  it.each(["2031h", "?2031", "?1049h", ""])("refuses %j as a mark", (answerAt) => {
    const { feed } = setUp();
    expect(() => feed.open(T, { answerAt, answers: true })).toThrow(/answerAt/);
  });
});

describe("signals", () => {
  const signalsOf = (...outputs: readonly string[]) => {
    const { feed, signals, write } = setUp();
    feed.open(T, { answerAt: null, answers: false });
    for (const output of outputs) write(output);
    return signals;
  };

  it("tell each report of the root record", () => {
    const blocked = report(`state=blocked:kind=permission:msg=${base64("approve Bash: ls")}`);
    expect(
      signalsOf(report("state=idle"), report("state=working"), blocked, report("state=done"), report("state=clear")),
    ).toEqual([
      status("idle"),
      status("working"),
      status("blocked", { about: "permission", msg: "approve Bash: ls" }),
      status("done"),
      status("clear"),
    ]);
  });

  it("tell a child only when it waits, and when it waits no more", () => {
    const signals = signalsOf(
      report("state=working"),
      report(`state=working:id=a:msg=${base64("reading")}`),
      report(`state=blocked:kind=question:id=a:msg=${base64("answer: A or B?")}`),
      report("state=working:id=a"),
      report("state=blocked:id=a/b"),
      report("state=clear:id=a"),
    );
    expect(signals).toEqual([
      status("working"),
      status("blocked", { id: "a", about: "question", msg: "answer: A or B?" }),
      status("working", { id: "a" }),
      status("blocked", { id: "a/b" }),
      status("clear", { id: "a/b" }),
    ]);
  });

  it("tell the children's return before the root's when everything is cleared", () => {
    const all = signalsOf(report("state=working"), report("state=blocked:id=a"), report("state=clear"));
    expect(all.slice(2)).toEqual([status("clear", { id: "a" }), status("clear")]);
  });

  it.each(["\x1bc", "\x1b]133;A\x07"])("tell that the root record is gone with %j", (output) => {
    expect(signalsOf(report("state=working"), output)).toEqual([status("working"), status("clear")]);
  });

  it("stay out for a prompt mark that an answered CLI draws", () => {
    const { feed, signals, write } = setUp();
    feed.open(T, { answerAt: "?2031h", answers: true });
    write(`${report("state=working")}\x1b]133;A\x07`);
    expect(signals).toEqual([status("working")]);
  });

  it("a gap is told, joins no halves, and forgets the records", () => {
    const { feed, signals, write } = setUp();
    feed.open(T, { answerAt: null, answers: false });
    write(`${report("state=blocked:id=a")}\x1b]7501;state=do`);
    feed.gap(T);
    write("ne\x07");
    write(report("state=working:id=a"));
    expect(signals).toEqual([status("blocked", { id: "a" }), { kind: "gap" }]);
  });

  it("come from open terminals only", () => {
    const { feed, signals, write } = setUp();
    write(report("state=idle"));
    feed.gap(T);
    feed.open(T, { answerAt: null, answers: false });
    feed.close(T);
    write(report("state=idle"));
    expect(signals).toEqual([]);
  });
});
