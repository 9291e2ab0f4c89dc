import type { Fact, Activity } from '../kernel/effect-handlers.ts';
import { lifeOf, type Outstanding } from '../kernel/fold.ts';
import { type LoopDefinition, specOf } from '../kernel/loop-definition.ts';
import { excerpt } from '../text/excerpt.ts';
import { FoldedRun } from './fold-run.ts';

/** The most characters of a prompt or a response in an activity: their beginning and their end stay. */
export const MAX_ACTIVITY_TEXT_CHARS = 16_000;

/** An activity of a run, and what is known of the attempt before it. */
export interface FoldedActivity extends Activity {
  readonly run: string;
  /** The version of the fact that it is. */
  readonly version: number;
  /** When that was recorded: RFC 3339. */
  readonly at: string;
  /** What the last attempt answered. Null before the first has answered. */
  readonly lastResponse: string | null;
}

/**
 * The activities of a run, folded from its facts. Runs of loops that are not known here have none.
 *
 * @example
 * const activities = new Activities(loops);
 * for await (const fact of readableFacts(log, run, loops)) console.log(activities.observe(fact)?.status);
 */
export class Activities {
  readonly #run: FoldedRun;
  #lastResponse: string | null = null;
  #begun: string | null = null;
  #opensRuns = false;
  #isKnown = false;

  constructor(loops: readonly LoopDefinition[]) {
    this.#run = new FoldedRun(loops);
  }

  /** Whether the loop of the newest fact is known here. */
  get isKnown(): boolean {
    return this.#isKnown;
  }

  /** The effect (`RUN/version/n`) by which the newest fact has begun an attempt. Null: it has begun none. */
  get begun(): string | null {
    return this.#begun;
  }

  /** Whether rounds of the loop can be attempts, which are runs of their own. */
  get opensRuns(): boolean {
    return this.#opensRuns;
  }

  /** Takes each fact of the run once, in order. */
  observe(fact: Fact): FoldedActivity | null {
    this.#begun = null;
    const folded = this.#run.observe(fact);
    this.#isKnown = folded !== null;
    if (!folded) return null;
    const { state, settings, loop } = folded;
    if (fact.type === 'child.settled' && fact.payload.callId === undefined) {
      this.#lastResponse = excerpt(fact.payload.answer, MAX_ACTIVITY_TEXT_CHARS);
    }
    const { run, version, at } = fact;
    const attempt = state.outstanding.find((one) => isAttempt(one, version, loop));
    this.#begun = attempt ? `${run}/${attempt.effect}` : null;
    this.#opensRuns = Object.values(loop.effects).some((spec) => spec.class === 'child');
    const activity = loop.activity?.(fact, lifeOf(state), settings);
    return activity ? { ...activity, run, version, at, lastResponse: this.#lastResponse } : null;
  }
}

/** Whether a fact of this version has asked for a child run. */
const isAttempt = (one: Outstanding, version: number, loop: LoopDefinition): boolean =>
  one.effect.startsWith(`${version}/`) && specOf(one, loop).class === 'child';
