import type { Offence } from './rule.ts';

/**
 * A loop breaks rules that every loop keeps. `offences` has each with its rule, its place, what was found and the
 * remedy.
 */
export class LoopRuleError extends Error {
  override readonly name = 'LoopRuleError';
  readonly loop: string;
  readonly offences: readonly Offence[];

  constructor(loop: string, offences: readonly Offence[]) {
    const each = offences.map(({ rule, place, found, remedy }) => `  ${rule}, at ${place}: ${found}. ${remedy}`);
    super([`${loop} breaks ${offences.length === 1 ? 'a rule' : 'rules'} of loops:`, ...each].join('\n'));
    this.loop = loop;
    this.offences = offences;
  }
}
