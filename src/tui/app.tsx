/**
 * The screen as an Ink component: reads the stores, asks the pure views for rows, and hands Ink each row whole. A row
 * goes through Transform, because Ink measures and keeps the text of every Text node it ever saw, and its idea of a
 * character's width need not be ours.
 */
import { Box, render, Text, Transform } from "ink";
import { useLayoutEffect } from "react";
import type { Snapshot } from "../bus/views.js";
import type { Depth } from "./colours.js";
import { useStore } from "./hooks/use-store.js";
import { useTick } from "./hooks/use-tick.js";
import { toAnsi } from "./line.js";
import type { CursorPlace, Size } from "./painter.js";
import type { Store } from "./store.js";
import type { Timing } from "./timing.js";
import type { Reach, Ui } from "./ui.js";
import { screenView } from "./views/screen.js";

export type AppProps = {
  readonly snapshot: Store<Snapshot>;
  readonly ui: Store<Ui>;
  readonly size: Store<Size>;
  readonly timing: Timing;
  readonly depth: Depth;
  /** Told after each frame what it can scroll and where the cursor stands. */
  readonly onSeen: (seen: { readonly reach: Reach; readonly cursor: CursorPlace }) => void;
};

const Row = ({ text }: { readonly text: string }) => (
  <Transform transform={() => text}>
    <Text>.</Text>
  </Transform>
);

export const App = ({ snapshot, ui, size, timing, depth, onSeen }: AppProps) => {
  const known = useStore(snapshot);
  // The engine runs on this host: its clock is ours, but never behind what it said last.
  const seen = screenView(known, useStore(ui), Math.max(timing.now(), known.now), useStore(size));
  useTick(seen.isCounting, timing);
  useLayoutEffect(() => onSeen({ reach: seen.reach, cursor: seen.cursor }));
  return (
    <Box flexDirection="column">
      {seen.rows.map((row, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place on the screen
        <Row key={index} text={toAnsi(row, depth) || " "} />
      ))}
    </Box>
  );
};

export type Mounted = { readonly unmount: () => void; readonly ended: Promise<void> };

/**
 * Mounts the screen on `sink`, a stream that takes whole frames. `debug` is Ink's way of handing over each frame whole
 * and at once: which cells to write, and when, is decided by painter.ts and terminal.ts, since a frame that is dropped
 * while the terminal is stuck would put Ink's own line diff out of step with the screen.
 */
export const mount = (props: AppProps, sink: NodeJS.WriteStream, stdin: NodeJS.ReadStream): Mounted => {
  const ink = render(<App {...props} />, {
    stdout: sink,
    stderr: sink,
    stdin,
    debug: true,
    exitOnCtrlC: false,
    patchConsole: false,
    isScreenReaderEnabled: false,
  });
  return { unmount: ink.unmount, ended: ink.waitUntilExit().then(() => undefined) };
};
