import { SIGNAL_EXIT, type StoppingSignal } from './exit-status.ts';

const SIGNALS = Object.keys(SIGNAL_EXIT) as StoppingSignal[];

export interface Stopping {
  /** The first signal: stop cleanly. */
  readonly once: (signal: StoppingSignal) => void;
  /** The second, or a first one with nothing to stop yet: now. Does not return. */
  readonly now: (signal: StoppingSignal) => never;
}

/** Listens to the signals that ask a process to stop, until the returned function is called. */
export function onStopSignals({ once, now }: Stopping): () => void {
  let told = false;
  const hear = (signal: NodeJS.Signals) => {
    if (told) now(signal as StoppingSignal);
    told = true;
    once(signal as StoppingSignal);
  };
  for (const signal of SIGNALS) process.on(signal, hear);
  return () => {
    for (const signal of SIGNALS) process.off(signal, hear);
  };
}
