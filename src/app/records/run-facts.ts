import { Observable } from 'rxjs';
import type { Envelope } from '../../log/envelope.ts';
import type { EventStore } from '../../log/event-store.ts';
import type { Live } from '../../runtime/own-tree.ts';

type FactObserver = { next(envelope: Envelope): void };

/** The facts of any run, past ones first, then as they are recorded. Completes when the run has ended. */
export const factsOf = (log: EventStore, run: string): Observable<Envelope> =>
  new Observable((subscriber) => {
    const stop = new AbortController();
    passOn(log, run, subscriber, stop.signal).then(
      () => subscriber.complete(),
      (error: unknown) => subscriber.error(error),
    );
    return () => stop.abort();
  });

/** The facts of a run for as long as it is live in this process: a pause completes them too. */
export const factsWhileLive = (log: EventStore, { run, done }: Live): Observable<Envelope> =>
  new Observable((subscriber) => {
    const stop = new AbortController();
    const over = () => stop.abort();
    done.then(over, over);
    const tell = async () => {
      const from = (await passOn(log, run, subscriber, stop.signal)) + 1;
      // The log may have been closed meanwhile: without a subscriber, it is not read again.
      if (subscriber.closed) return;
      for await (const envelope of log.read(run, { from })) subscriber.next(envelope);
    };
    tell().then(
      () => subscriber.complete(),
      (error: unknown) => (stop.signal.aborted ? subscriber.complete() : subscriber.error(error)),
    );
    return over;
  });

/** Passes the facts of a run on until there will be no more, or the signal. Returns the last version. */
async function passOn(log: EventStore, run: string, observer: FactObserver, signal: AbortSignal): Promise<number> {
  let version = 0;
  for await (const envelope of log.follow(run, { from: 1, signal })) {
    observer.next(envelope);
    version = envelope.version;
  }
  return version;
}
