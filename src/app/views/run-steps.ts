import { z } from 'zod';
import { pathOf } from '../../charts/transitions.ts';
import type { Fact } from '../../kernel/effect-handlers.ts';
import type { RunState } from '../../kernel/fold.ts';
import type { LoopDefinition } from '../../kernel/loop-definition.ts';
import { spentBy } from '../../projections/loop-in-view.ts';
import { type TimelineEntry, timelineEntry } from '../../projections/timeline.ts';
import { addSpend, NO_SPEND } from '../../../machines/outcome.ts';

const count = z.int().nonnegative();

/** One version of a run: what was recorded, the state after it, and what was spent until then. */
export const RunStep = z.object({
  version: z.int().positive(),
  /** RFC 3339. */
  at: z.string(),
  type: z.string(),
  text: z.string(),
  /** Which of the states, from 0. Null: the loop of the run is not known here. */
  state: count.nullable(),
  tokens: count,
  /** Billionths of a US dollar. Null where no price was known. */
  costNanoUsd: count.nullable(),
});
export type RunStep = z.infer<typeof RunStep>;

/** Every version of a run, oldest first. `states`: each set of active states of its chart once, as paths. */
export const RunSteps = z.object({ states: z.array(z.array(z.string())), steps: z.array(RunStep) });
export type RunSteps = z.infer<typeof RunSteps>;

/** Collects the steps of one run from its facts, in order. */
export class StepsOfRun {
  readonly #states = new Map<string, number>();
  readonly #paths: string[][] = [];
  readonly #steps: RunStep[] = [];
  #spend = NO_SPEND;

  observe(fact: Fact, loop: LoopDefinition | null, state: RunState | null): void {
    const spend = spentBy(fact, loop);
    if (spend) this.#spend = addSpend(this.#spend, spend);
    if (fact.type === 'child.settled') this.#spend = addSpend(this.#spend, fact.payload.spend);
    const { version, at, type, text } = timelineEntry(fact, loop);
    const { inputTokens, outputTokens, costNanoUsd = null } = this.#spend;
    const tokens = inputTokens + outputTokens;
    this.#steps.push({ version, at, type, text, state: state && this.#numberOf(state), tokens, costNanoUsd });
  }

  /** An event that cannot be read here: it changes nothing that is known. */
  unread({ version, at, type, text }: TimelineEntry): void {
    const { tokens = 0, costNanoUsd = null } = this.#steps.at(-1) ?? {};
    this.#steps.push({ version, at, type, text, state: null, tokens, costNanoUsd });
  }

  get collected(): RunSteps {
    return { states: this.#paths, steps: this.#steps };
  }

  #numberOf({ snapshot }: RunState): number {
    const paths = snapshot._nodes.filter(({ parent }) => parent).map(pathOf);
    const key = paths.join(' ');
    const known = this.#states.get(key);
    if (known !== undefined) return known;
    this.#states.set(key, this.#paths.length);
    this.#paths.push(paths);
    return this.#paths.length - 1;
  }
}
