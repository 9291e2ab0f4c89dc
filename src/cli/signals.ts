import { SIGNAL_EXIT, type StoppingSignal } from './exit-status.ts';

const SIGNALS = Object.keys(SIGNAL_EXIT) as StoppingSignal[];
/** npm passes on what its terminal has sent to both: so close to the first, a second signal is no second wish. */
const ECHO_MS = 300;

export type Listener = (signal: StoppingSignal) => void;

export interface Stopping {
  /** The first signal: stop cleanly. */
  readonly once: Listener;
  /** The second: now. Does not return. */
  readonly now: (signal: StoppingSignal) => never;
}

let innermost: Listener | null = null;

/** Until the returned function is called, a signal that asks the process to stop is told to this listener alone. */
export function onStopSignals(listener: Listener): () => void {
  const outer = innermost;
  innermost = listener;
  if (!outer) for (const signal of SIGNALS) process.on(signal, hear);
  return () => {
    innermost = outer;
    if (!outer) for (const signal of SIGNALS) process.off(signal, hear);
  };
}

/** Tells a first wish from a second. */
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
