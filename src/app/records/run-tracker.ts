import { concatMap, defer, type Observable } from 'rxjs';
import type { LoopDefinition } from '../../kernel/loop-definition.ts';
import type { Tracker, TrackerEvent } from '../../kernel/tracker.ts';
import type { Envelope } from '../../log/envelope.ts';
import type { ReadEvent } from '../../log/read-event.ts';
import { Reading } from '../../log/reading.ts';
import { knownLoop } from '../../projections/loop-in-view.ts';

/** The tracker events of a run, past ones first. Completes with its facts; none, where its loop has none. */
export const trackerOf = (facts: Observable<Envelope>, loops: readonly LoopDefinition[]): Observable<TrackerEvent> =>
  // Each subscriber folds the run for itself, from the first fact on.
  defer(() => {
    const reading = new Reading(loops);
    const tracked = new TrackedRun(loops);
    return facts.pipe(concatMap((envelope) => tracked.observe(reading.read(envelope))));
  });

/** Folds the facts of one run to the tracker events that its loop has for them. */
export class TrackedRun {
  readonly #loops: readonly LoopDefinition[];
  #tracker: Tracker | null = null;

  constructor(loops: readonly LoopDefinition[]) {
    this.#loops = loops;
  }

  /** Takes each event of the run once, in order. One that cannot be read is told to no tracker. */
  observe(read: ReadEvent): readonly TrackerEvent[] {
    if (read.kind !== 'event') return [];
    const { event } = read;
    if (event.type === 'run.started') {
      this.#tracker = knownLoop(event.payload.machine, this.#loops)?.describe.tracker?.() ?? null;
    }
    return this.#tracker?.observe(event) ?? [];
  }
}
