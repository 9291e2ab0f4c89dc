import { exitNow, EXIT, SIGNAL_EXIT } from '../terminal/exit-status.ts';
import { onceThenNow, onStopSignals } from '../terminal/stop-signals.ts';

/** Waits until the client of a door closes the standard input, or a signal comes. Returns the exit status. */
export async function untilClosed(input: NodeJS.ReadStream): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  onStopSignals(
    onceThenNow({
      once: (signal) => resolve(SIGNAL_EXIT[signal]),
      now: (signal) => exitNow(SIGNAL_EXIT[signal]),
    }),
  );
  for (const event of ['end', 'close', 'error'] as const) input.once(event, () => resolve(EXIT.success));
  return promise;
}
