import type { AnyEvent } from '../../../machines/events.ts';
import type { LoopDefinition } from '../../kernel/loop-definition.ts';
import type { Ranking } from '../../kernel/loop-ranking.ts';
import type { Loop } from '../loop.ts';
import { invariants } from '../invariants/index.ts';
import type { Invariant } from '../invariants/invariant.ts';
import { definitionRules, offencesAgainst, rules } from '../lint/lint.ts';
import { LoopRuleError } from '../lint/loop-rule-error.ts';
import type { ProofEnvironment } from '../proof-environment.ts';
import { invariantProofs } from './invariant-proofs.ts';
import { type Proof, ProofError } from './proof.ts';
import { bringsItsEndNearer, cycleProof } from './ranking-proofs.ts';
import { type CheckedEnvironment, checkedEnvironment } from './environment-of-proof.ts';
import { pathProofs } from './path-proofs.ts';

export interface ProofOptions {
  /** The same seed gives the same runs. Default: 1. */
  readonly seed?: number;
  /** The least number of accepted events in random runs. Default: 20,000, which takes some seconds. */
  readonly events?: number;
  /** Proves that runs end, where the definition has no `ranking`. */
  readonly ranking?: Ranking;
  /** Invariants of this loop, in addition to those of every loop. */
  readonly invariants?: readonly Invariant[];
}

const EVENTS = 20_000;

/**
 * The proofs of a loop: it keeps the rules, a path leads to every state and takes every transition, and the invariants
 * hold in random runs. Each is one proof, for any test framework. The shared work is done when the first of them runs.
 *
 * @example
 * for (const { name, prove } of proofsOf(loop, environment)) test(name, prove);
 */
export function proofsOf<Event extends AnyEvent>(
  loop: Loop<Event>,
  environment: ProofEnvironment<Event>,
  options: ProofOptions = {},
): readonly Proof[] {
  const { seed = 1, events = EVENTS, ranking = loop.ranking, invariants: own = [] } = options;
  const missing = definitionRules.flatMap((rule) => offencesAgainst(rule, loop));
  if (missing.length > 0) throw new LoopRuleError(loop.id, missing);
  let checked: CheckedEnvironment | null = null;
  // The proofs do not depend on the types of a loop's own events.
  const environmentOf = (): CheckedEnvironment =>
    (checked ??= checkedEnvironment(loop, environment as unknown as ProofEnvironment));
  const all = [...invariants, ...own, ...(ranking ? [bringsItsEndNearer(ranking)] : [])];
  return [
    ...ruleProofs(loop),
    ...(ranking ? [cycleProof(loop, ranking)] : []),
    ...pathProofs(loop, environmentOf),
    ...invariantProofs(loop, () => environmentOf().environment, all, { seed, events }),
  ];
}

const ruleProofs = (loop: LoopDefinition): Proof[] =>
  rules.map((rule) => {
    const name = `keeps the rule ${rule.name}`;
    const prove = (): void => {
      const broken = offencesAgainst(rule, loop).map(({ place, found, remedy }) => `${place}: ${found}. ${remedy}`);
      if (broken.length > 0) throw new ProofError(name, broken.join('\n'));
    };
    return { name, prove };
  });
