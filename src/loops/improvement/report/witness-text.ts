import type { Witness } from '../../../../machines/improvement-facts.ts';

/** The kinds of witnesses, for people. */
export const WITNESS_NAMES: Readonly<Record<Witness['kind'], string>> = {
  test: 'the test',
  error: 'the error',
  interval: 'a benchmark',
  lines: 'uncovered lines',
  acceptance: 'an acceptance test',
  none: 'none',
};
