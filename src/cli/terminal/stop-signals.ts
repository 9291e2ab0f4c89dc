import { SIGNAL_EXIT, type StoppingSignal } from './exit-status.ts';

const SIGNALS = Object.keys(SIGNAL_EXIT) as StoppingSignal[];
/** npm forwards a signal that the terminal has sent to both processes: a second one this soon is the same Ctrl-C. */
const ECHO_MS = 300;

export type Listener = (signal: StoppingSignal) => void;

export interface Stopping {
  /** The first signal: stop cleanly. */
  readonly once: Listener;
  /** The second: now. Does not return. */
  readonly now: (signal: StoppingSignal) => never;
}

let innermost: Listener | null = null;

/** Until the returned function is called, stop signals go to this listener alone. */
export function onStopSignals(listener: Listener): () => void {
  const outer = innermost;
  innermost = listener;
  if (!outer) for (const signal of SIGNALS) process.on(signal, hear);
  return () => {
    innermost = outer;
    if (!outer) for (const signal of SIGNALS) process.off(signal, hear);
  };
}

/** Calls `once` for the first signal and `now` for a second. */
export function onceThenNow({ once, now }: Stopping, isEchoed = process.env['npm_command'] !== undefined): Listener {
  let firstAt: number | null = null;
  return (signal) => {
    if (firstAt === null) {
      firstAt = performance.now();
      once(signal);
    } else if (!isEchoed || performance.now() - firstAt > ECHO_MS) now(signal);
  };
}

function hear(signal: NodeJS.Signals): void {
  innermost?.(signal as StoppingSignal);
}
