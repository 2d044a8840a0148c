import { useEffect, useState } from "react";
import type { Timing } from "../timing.js";

const TICK_MS = 1000;

/** Renders again once a second while `isNeeded`: the one tick that all counting timers share. No timer otherwise. */
export const useTick = (isNeeded: boolean, timing: Timing): void => {
  const [, setBeat] = useState(0);
  useEffect(() => {
    if (!isNeeded) return;
    let cancel = (): void => {};
    const beat = (): void => {
      cancel = timing.after(TICK_MS, beat);
      setBeat((count) => count + 1);
    };
    cancel = timing.after(TICK_MS, beat);
    return () => cancel();
  }, [isNeeded, timing]);
};
