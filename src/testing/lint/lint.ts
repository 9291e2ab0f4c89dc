import type { LoopDefinition } from '../../kernel/loop-definition.ts';
import { answerRules } from './answer-rules.ts';
import { definitionRules } from './definition-rules.ts';
import { effectRules } from './effect-rules.ts';
import { eventRules } from './event-rules.ts';
import { memberRules } from './member-rules.ts';
import { nameRules } from './name-rules.ts';
import type { Offence, Rule } from './rule.ts';
import { shapeRules } from './shape-rules.ts';
import { specRules } from './spec-rules.ts';
import { descriptionRules } from './description-rules.ts';

/** The rules that every loop keeps. */
export const rules: readonly Rule[] = [
  ...definitionRules,
  ...memberRules,
  ...shapeRules,
  ...nameRules,
  ...effectRules,
  ...descriptionRules,
  ...eventRules,
  ...specRules,
  ...answerRules,
];

/**
 * The offences of a loop against the rules of every loop, in the order of the rules. Empty where it keeps them all.
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
