import { type ConfigFault, faultSentence } from '../../options/config-fault.ts';

/**
 * Options that no run can be made of. `faults` names each field, its value and what was expected. The message names
 * options as code does: a program that has flags words `faults` itself.
 */
export class OptionsError extends Error {
  override readonly name = 'OptionsError';
  readonly faults: readonly ConfigFault[];

  constructor(faults: readonly ConfigFault[]) {
    super(faults.map((fault) => faultSentence({ ...fault, flag: null })).join('\n'));
    this.faults = faults;
  }
}
