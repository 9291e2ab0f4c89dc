import type { Fact } from '../../kernel/effect-handlers.ts';
import type { LoopDefinition } from '../../kernel/loop-definition.ts';
import type { EventStore, RunRecord } from '../../log/event-store.ts';
import { Reading } from '../../log/reading.ts';
import { FoldedRun } from '../../projections/fold-run.ts';
import type { RunStep } from '../../runtime/tree-access.ts';
import { EffectSpans } from './effect-spans.ts';
import { type ToldRun, toldRun } from './work-spans.ts';
import { type SpanIds, spanIds, writeSpan } from './write-span.ts';

/** The place of a run among others, as far as its spans need it. */
export type RunPlace = Pick<RunRecord, 'run' | 'root' | 'parentEffect' | 'forkedFrom'>;

/** Follows one run, from the log or while it works, and makes a span of what has ended, each once, as text. */
export class RunTrace {
  readonly #place: RunPlace;
  readonly #loops: readonly LoopDefinition[];
  readonly #withContent: boolean;
  readonly #ids: SpanIds;
  readonly #spans: EffectSpans;
  readonly #folded: FoldedRun;
  #told: ToldRun | null = null;
  #next = 1;

  constructor(loops: readonly LoopDefinition[], place: RunPlace, withContent: boolean) {
    this.#loops = loops;
    this.#place = place;
    this.#withContent = withContent;
    const { run, root, parentEffect, forkedFrom } = place;
    this.#ids = spanIds(run, { root, openedBy: parentEffect, forkedFrom: forkedFrom?.run ?? null });
    this.#spans = new EffectSpans(forkedFrom?.version ?? 0);
    this.#folded = new FoldedRun(loops);
  }

  get hasEnded(): boolean {
    return this.#spans.hasEnded;
  }

  /** Takes a step of the run while it works. False: it has missed some before, which `read` finds in the log. */
  observe({ envelope, state }: RunStep): boolean {
    if (envelope.version > this.#next) return false;
    if (envelope.version < this.#next) return true;
    // This process has just recorded it: its payload has the schema of today.
    const fact = envelope as unknown as Fact;
    this.#spans.observe(fact, this.#folded.adopt(fact, state));
    this.#next += 1;
    return true;
  }

  /** Reads what was recorded since the last time. Events that cannot be read are passed over. */
  async read(log: EventStore): Promise<void> {
    const machine = this.#folded.now?.state.entry.id;
    const reading = new Reading(this.#loops, { isWhole: true, ...(machine === undefined ? {} : { machine }) });
    for await (const page of log.pages(this.#place.run, { from: this.#next })) {
      for (const envelope of page) {
        // It may have been observed meanwhile.
        if (envelope.version < this.#next) continue;
        const read = reading.read(envelope);
        if (read.kind === 'event') this.#spans.observe(read.event, this.#folded.observe(read.event));
        this.#next = envelope.version + 1;
      }
    }
  }

  /** Takes the spans that have ended since the last time. */
  take(): readonly string[] {
    const { facts } = this.#spans;
    if (!facts) return [];
    this.#told ??= toldRun(facts, this.#place.run, this.#place.root, this.#withContent);
    const told = this.#told;
    return this.#spans.take().map((work) => writeSpan(work, told, this.#ids));
  }
}
