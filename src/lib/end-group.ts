/**
 * The end of a program whose terminal is gone and that goes on all the same (Gemini CLI and OpenCode do): first asked,
 * then made to, with everything in its process group. The caller must know that the group is the program's own.
 * Source: facts/composers-pi-gemini-copilot-qwen.md, section 7 "Side find".
 */

/** ms that a program gets for its last words after its terminal went, and after it was asked to end: it may save its session. */
const LAST_WORDS_MS = 3_000;
const POLL_MS = 50;

const signal = (group: number, name: NodeJS.Signals | 0): boolean => {
  try {
    return process.kill(-group, name);
  } catch {
    return false;
  }
};

/** Resolves when nothing of the group is left, or it was killed. `group`: the pid of its leader. */
export const endGroup = async (group: number, pause: (ms: number) => Promise<void>): Promise<void> => {
  const isGone = async (): Promise<boolean> => {
    for (let waited = 0; waited < LAST_WORDS_MS; waited += POLL_MS) {
      if (!signal(group, 0)) return true;
      await pause(POLL_MS);
    }
    return !signal(group, 0);
  };
  if (group <= 1 || (await isGone())) return;
  signal(group, "SIGTERM");
  if (!(await isGone())) signal(group, "SIGKILL");
};
