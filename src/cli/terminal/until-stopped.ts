import { exitNow, SIGNAL_EXIT, type StoppingSignal } from './exit-status.ts';
import { onceThenNow, onStopSignals } from './stop-signals.ts';

export interface Waiting {
  readonly input: NodeJS.ReadStream;
  /** Called for each line that a person at a terminal enters. */
  readonly onLine: () => void;
}

/** Resolves with the first signal that stops the program. A second one ends it at once. */
export async function untilStopped({ input, onLine }: Waiting): Promise<StoppingSignal> {
  const { promise, resolve } = Promise.withResolvers<StoppingSignal>();
  onStopSignals(onceThenNow({ once: resolve, now: (signal) => exitNow(SIGNAL_EXIT[signal]) }));
  const heard = () => onLine();
  if (input.isTTY) input.on('data', heard);
  // Without streams of events nothing else would keep the process.
  const kept = setInterval(() => {}, 2 ** 30);
  const signal = await promise;
  clearInterval(kept);
  if (input.isTTY) {
    input.off('data', heard);
    input.pause();
  }
  return signal;
}
