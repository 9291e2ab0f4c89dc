import type { AnyEvent } from '../../../machines/events.ts';
import type { LoopDefinition } from '../../runtime/loop-definition.ts';
import type { Ranking } from '../../runtime/ranking.ts';
import type { Loop } from '../loop.ts';
import { invariants } from '../invariants/index.ts';
import type { Invariant } from '../invariants/invariant.ts';
import { definitionRules } from '../lint/definition-rules.ts';
import { offencesAgainst, rules } from '../lint/lint.ts';
import { LoopRuleError } from '../lint/loop-rule-error.ts';
import type { World } from '../world.ts';
import { invariantProofs } from './invariant-proofs.ts';
import { type Proof, ProofError } from './proof.ts';
import { bringsItsEndNearer, cycleProof } from './ranking-proofs.ts';
import { type Spoken, spoken } from './spoken.ts';
import { wayProofs } from './way-proofs.ts';

export interface ProofOptions {
  /** The same seed gives the same runs. 1 if not said. */
  readonly seed?: number;
  /** How many events chance makes at least, all of which the loop accepts. 20,000 if not said: some seconds. */
  readonly events?: number;
  /** Why its runs end, where its definition does not say it. */
  readonly ranking?: Ranking;
  /** What holds in every run of this loop, beside what holds in every run of any. */
  readonly invariants?: readonly Invariant[];
}

const EVENTS = 20_000;

/**
 * All that is proven of a loop: it keeps the rules, there is a way to every state and through every transition, and what holds
 * for every loop holds in as many runs as chance makes. One proof each, for any test framework. What they need is computed
 * when the first of them is asked.
 *
 * @example
 * for (const { name, prove } of proofsOf(loop, world)) test(name, prove);
 */
export function proofsOf<Event extends AnyEvent>(loop: Loop<Event>, world: World<Event>, options: ProofOptions = {}): readonly Proof[] {
  const { seed = 1, events = EVENTS, ranking = loop.ranking, invariants: own = [] } = options;
  const missing = definitionRules.flatMap((rule) => offencesAgainst(rule, loop));
  if (missing.length > 0) throw new LoopRuleError(loop.id, missing);
  let heard: Spoken | null = null;
  // What a loop's own events are called makes no difference to those who prove.
  const speaks = (): Spoken => (heard ??= spoken(loop, world as unknown as World));
  const all = [...invariants, ...own, ...(ranking ? [bringsItsEndNearer(ranking)] : [])];
  return [
    ...ruleProofs(loop),
    ...(ranking ? [cycleProof(loop, ranking)] : []),
    ...wayProofs(loop, speaks),
    ...invariantProofs(loop, () => speaks().world, all, { seed, events }),
  ];
}

const ruleProofs = (loop: LoopDefinition): Proof[] =>
  rules.map((rule) => {
    const name = `keeps the rule ${rule.name}`;
    const prove = (): void => {
      const told = offencesAgainst(rule, loop).map(({ place, found, remedy }) => `${place}: ${found}. ${remedy}`);
      if (told.length > 0) throw new ProofError(name, told.join('\n'));
    };
    return { name, prove };
  });
