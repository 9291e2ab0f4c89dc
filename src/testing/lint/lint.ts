import type { LoopDefinition } from '../../runtime/loop-definition.ts';
import { answerRules } from './answer-rules.ts';
import { definitionRules } from './definition-rules.ts';
import { effectRules } from './effect-rules.ts';
import { eventRules } from './event-rules.ts';
import { nameRules } from './name-rules.ts';
import type { Offence, Rule } from './rule.ts';
import { shapeRules } from './shape-rules.ts';
import { specRules } from './spec-rules.ts';
import { wordRules } from './word-rules.ts';

/** The rules that every loop keeps. */
export const rules: readonly Rule[] = [...definitionRules, ...shapeRules, ...nameRules, ...effectRules, ...wordRules, ...eventRules, ...specRules, ...answerRules];

/**
 * What a loop does against the rules that every loop keeps, in the order of the rules. Empty where it keeps them all.
 *
 * @example
 * for (const { rule, place, found, remedy } of lint(loop)) console.log(`${rule}: ${place}: ${found}. ${remedy}`);
 */
export function lint(loop: LoopDefinition): Offence[] {
  const missing = definitionRules.flatMap((rule) => offencesAgainst(rule, loop));
  return missing.length > 0 ? missing : rules.flatMap((rule) => offencesAgainst(rule, loop));
}

export const offencesAgainst = ({ name, remedy, offences }: Rule, loop: LoopDefinition): Offence[] =>
  offences(loop).map(({ place, found }) => ({ rule: name, place, found, remedy }));
