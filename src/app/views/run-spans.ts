import { z } from 'zod';
import type { Fact } from '../../kernel/effect-handlers.ts';
import type { Outstanding } from '../../kernel/fold.ts';
import { type LoopDefinition, specOf } from '../../kernel/loop-definition.ts';
import { FoldedRun } from '../../projections/fold-run.ts';
import { timelineEntry } from '../../projections/timeline.ts';

const time = z.string();

/** One effect on the clock of its tree: from the event that asked for it to the one that was its result. */
export const RunSpan = z.object({
  run: z.string(),
  /** `VERSION/n`. */
  effect: z.string(),
  name: z.string(),
  /** `wait`: a person is asked. `child`: it is a run of its own, whose spans come after it. */
  kind: z.enum(['effect', 'wait', 'child']),
  /** The run it has opened. */
  child: z.string().nullable(),
  /** RFC 3339. */
  from: time,
  /** Null: it has no result yet. */
  to: time.nullable(),
  /** When it began to work. Null: it queues. */
  startedAt: time.nullable(),
  /** More than 1 after a pause or a crash. */
  attempt: z.int().positive(),
  /** Its result in one line. */
  text: z.string(),
  /** The version of its result. */
  version: z.int().positive().nullable(),
  failed: z.boolean(),
  /** Runs above it. */
  depth: z.int().nonnegative(),
});
export type RunSpan = z.infer<typeof RunSpan>;

type Open = { -readonly [Member in keyof RunSpan]: RunSpan[Member] };

/** Results of these kinds did not come to what was asked for. */
const FAILED = /\.(failed|interrupted|refused)$/;
const TIMER = 'timer';

/** Collects the effects of one run from its facts, in order: those that take time. */
export class SpansOfRun {
  readonly folded: FoldedRun;
  readonly #open = new Map<string, Open>();
  readonly #spans: Open[] = [];
  readonly #depth: number;

  constructor(loops: readonly LoopDefinition[], depth = 0) {
    this.folded = new FoldedRun(loops);
    this.#depth = depth;
  }

  /** What the run has folded to after the fact. Null: its loop is not known here. */
  observe(fact: Fact): ReturnType<FoldedRun['observe']> {
    const now = this.folded.observe(fact);
    const outstanding = new Map((now?.state.outstanding ?? []).map((one) => [one.effect, one]));
    for (const [effect, span] of this.#open) {
      const still = outstanding.get(effect);
      if (still) note(span, still, fact.at);
      else this.#close(effect, span, fact, now?.loop ?? null);
    }
    if (now) for (const one of outstanding.values()) this.#begin(one, fact, now.loop);
    return now;
  }

  get collected(): readonly RunSpan[] {
    return this.#spans;
  }

  #begin(one: Outstanding, { run, at }: Fact, loop: LoopDefinition): void {
    if (this.#open.has(one.effect) || one.actor === TIMER) return;
    const spec = specOf(one, loop);
    if (spec.decide) return;
    const opened = spec.class === 'child' ? 'child' : 'effect';
    const kind = spec.asksPerson ? 'wait' : opened;
    const begun = { run, effect: one.effect, name: one.actor, kind, child: null, from: at, to: null } as const;
    const startedAt = one.queued ? null : at;
    const span = { ...begun, startedAt, attempt: one.attempt, text: '', version: null, failed: false };
    const open: Open = { ...span, depth: this.#depth };
    this.#open.set(one.effect, open);
    this.#spans.push(open);
  }

  #close(effect: string, span: Open, fact: Fact, loop: LoopDefinition | null): void {
    this.#open.delete(effect);
    span.to = fact.at;
    span.version = fact.version;
    span.text = timelineEntry(fact, loop).text;
    span.failed = FAILED.test(fact.type);
  }
}

function note(span: Open, { attempt, queued }: Outstanding, at: string): void {
  span.attempt = attempt;
  if (!queued && span.startedAt === null) span.startedAt = at;
}
