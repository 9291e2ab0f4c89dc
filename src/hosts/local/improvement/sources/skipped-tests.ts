import { skippedTests as skipped } from '../../../../loops/improvement/discovery/baseline-tests.ts';
import { never, type Source } from './source.ts';

/** Tests that are skipped on the head. */
export const skippedTests: Source = {
  name: 'skipped-tests',
  canChange: never,
  find: async ({ baseline }) => ({ items: baseline ? skipped(baseline) : [] }),
};
