import { concatMap, defer, type Observable } from 'rxjs';
import { type LoopDefinition, loopNameOf } from '../../kernel/loop-definition.ts';
import type { Tracker, TrackerEvent } from '../../kernel/effect-handlers.ts';
import type { Envelope } from '../../log/envelope.ts';
import type { ReadEvent, Unreadable } from '../../log/read-event.ts';
import { Reading, readEvents } from '../../log/reading.ts';
import { knownLoop } from '../../projections/loop-in-view.ts';
import type { ReportPage, ReportFold } from '../../kernel/report-page.ts';
import { assertIntact } from '../../runtime/intact.ts';
import { changeText } from '../changes/change-text.ts';
import type { AppHost } from '../app-host.ts';
import { knownRun } from '../changes/run-change.ts';

/** The most of one change that a report has, in bytes. */
const MAX_CHANGE_BYTES = 256 * 1024;

/** The report on a run, or why there is none. */
export type RunReport =
  | {
      readonly kind: 'report';
      readonly report: ReportPage;
      /** The same for programs, as the loop of the run types it: of an improvement loop, an `ImprovementNight`. */
      readonly data: object;
      /** The changes that it shows, for people, by their ids. Those that the repository has no more are not in it. */
      readonly patches: ReadonlyMap<string, string>;
    }
  | { readonly kind: 'unknown_run'; readonly run: string }
  /** `known`: the loops whose runs have reports. */
  | { readonly kind: 'no_report'; readonly loop: string; readonly known: readonly string[] }
  /** Its figures would not be those of the log. */
  | { readonly kind: 'unreadable'; readonly unreadable: Unreadable };

type Host = Pick<AppHost, 'log' | 'definitions'>;

/** Reads the report on a run, as far as the run has come, from its log, and its changes from the repository. */
export async function runReport(host: Host, run: string): Promise<RunReport> {
  const folded = await foldedReport(host, run);
  if ('kind' in folded) return folded;
  const patches = await patchesOf(host, run, folded);
  return { kind: 'report', report: folded.report(), data: folded.data(), patches };
}

async function foldedReport({ log, definitions }: Host, run: string): Promise<ReportFold | RunReport> {
  await assertIntact(log, run);
  let fold: ReportFold | null = null;
  for await (const read of readEvents(log, run, definitions, { isWhole: true })) {
    if (read.kind === 'unreadable') return { kind: 'unreadable', unreadable: read };
    const { event } = read;
    if (event.type === 'run.started') {
      const { machine } = event.payload;
      fold = knownLoop(machine, definitions)?.describe.report?.() ?? null;
      if (!fold) return { kind: 'no_report', loop: loopNameOf(machine), known: reported(definitions) };
    }
    fold?.observe(event);
  }
  return fold ?? { kind: 'unknown_run', run };
}

const reported = (loops: Host['definitions']): readonly string[] =>
  loops.filter(({ describe }) => describe.report).map(({ id }) => loopNameOf(id));

async function patchesOf(host: Host, run: string, fold: ReportFold): Promise<ReadonlyMap<string, string>> {
  const known = await knownRun(host, run);
  const patches = new Map<string, string>();
  if ('kind' in known) return patches;
  const { call, leaveOut } = known;
  for (const { id, ...trees } of fold.changes()) {
    const text = await changeText(trees, call, { leaveOut, forPeople: true, maxBytes: MAX_CHANGE_BYTES });
    if (text !== null) patches.set(id, text);
  }
  return patches;
}

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
