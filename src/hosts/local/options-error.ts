import { type ConfigFault, faultSentence } from '../../text/config-fault.ts';

/** Options that no run can be made of. `faults` names each field, its value and what was expected. */
export class OptionsError extends Error {
  override readonly name = 'OptionsError';
  readonly faults: readonly ConfigFault[];

  constructor(faults: readonly ConfigFault[]) {
    super(faults.map(faultSentence).join('\n'));
    this.faults = faults;
  }
}
