import { failingTests as failing, skippedTests as skipped } from '../../discovery/baseline-tests.ts';
import { checkErrors } from '../../discovery/check-errors.ts';
import { never, type Source } from './source.ts';

// What the checks say of the head.

/** Tests that fail on the head, and checks that fail without saying which test. */
export const failingTests: Source = {
  name: 'failing-tests',
  canChange: never,
  find: async ({ baseline, settings: { checks }, fileIn }) => {
    if (!baseline) return { items: [] };
    return { items: [...failing(baseline), ...checkErrors(baseline, checks, await fileIn()).others] };
  },
};

/** Tests that are skipped on the head. */
export const skippedTests: Source = {
  name: 'skipped-tests',
  canChange: never,
  find: async ({ baseline }) => ({ items: baseline ? skipped(baseline) : [] }),
};

/** Lists what the compilers among the checks complain of on the head. */
export const typeErrors: Source = {
  name: 'type-errors',
  canChange: never,
  find: async ({ baseline, settings: { checks }, fileIn }) => ({
    items: baseline ? checkErrors(baseline, checks, await fileIn()).types : [],
  }),
};

/** Lists what the linters among the checks complain of on the head. */
export const lintFindings: Source = {
  name: 'lint',
  canChange: never,
  find: async ({ baseline, settings: { checks }, fileIn }) => ({
    items: baseline ? checkErrors(baseline, checks, await fileIn()).lint : [],
  }),
};
