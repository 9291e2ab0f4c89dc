import { Observable } from 'rxjs';
import type { Envelope } from '../../log/envelope.ts';
import type { RunRecord, EventStore } from '../../log/event-store.ts';
import type { Log } from '../../log/log.ts';
import type { TrackerEvent } from '../../kernel/effect-handlers.ts';
import type { LoopDefinition } from '../../kernel/loop-definition.ts';
import type { Question } from '../../projections/questions.ts';
import type { InboxItem } from '../../projections/read-inbox.ts';
import { type Loaded, rebuild } from '../../runtime/load-run.ts';
import { askedOf, inboxOf } from '../people/question-places.ts';
import { collectGarbage, type Collecting, type Garbage } from '../isolation/garbage.ts';
import type { AppHost } from '../app-host.ts';
import { type RunReport, runReport, trackerOf } from './run-tracker.ts';
import type { Live } from '../../runtime/own-tree.ts';

type FactObserver = { next(envelope: Envelope): void };

/** The facts of any run, past ones first, then as they are recorded. Completes when the run has ended. */
const factsOf = (log: EventStore, run: string): Observable<Envelope> =>
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

/** The runs of one log, to read. */
export class RecordedRuns {
  readonly log: Log;
  /** The loops that its runs may be: those that ship, and those given. */
  readonly definitions: readonly LoopDefinition[];

  constructor({ log, definitions }: Pick<AppHost, 'log' | 'definitions'>) {
    this.log = log;
    this.definitions = definitions;
  }

  runs(): Promise<readonly RunRecord[]> {
    return this.log.runs();
  }

  /** The facts of any run, past ones first, then as they are recorded. */
  events(run: string): Observable<Envelope> {
    return factsOf(this.log, run);
  }

  /** What programs that track the phases of any run are told, past events first. Of most loops: nothing. */
  tracker(run: string): Observable<TrackerEvent> {
    return trackerOf(this.events(run), this.definitions);
  }

  /**
   * The report on a run, as far as the run has come, where its loop has reports, as the improvement loop does.
   *
   * @example
   * const read = await loops.report(run);
   * if (read.kind === 'report') console.log(read.report.title);
   */
  report(run: string): Promise<RunReport> {
    return runReport(this, run);
  }

  /** The state at any version. Reads the log and touches nothing else. */
  rebuild(run: string, at?: number): Promise<Loaded> {
    return rebuild(this.log, run, at, this.definitions);
  }

  /** What a run, and the attempts below it, wait for people to answer. Null where the log has no such run. */
  questions(run: string): Promise<readonly Question[] | null> {
    return askedOf(this.log, run, this.definitions);
  }

  /**
   * What all runs of the log wait for people to do, the longest wait first. A run that cannot be read with these loops
   * is named, with the reason.
   *
   * @example
   * for (const item of await loops.inbox()) console.log(item.run, item.since, item.kind);
   */
  async inbox(): Promise<readonly InboxItem[]> {
    return (await inboxOf(this.log, async () => this.definitions)).items;
  }

  /** Removes what runs that are gone have left in the repository around a folder. */
  collectGarbage(directory: string, how: Collecting = {}): Promise<Garbage> {
    return collectGarbage(this.log, directory, how);
  }
}
