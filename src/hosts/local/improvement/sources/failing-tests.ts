import { failingTests as failing } from '../../../../loops/improvement/discovery/baseline-tests.ts';
import { checkErrors } from '../../../../loops/improvement/discovery/check-errors.ts';
import { never, type Source } from './source.ts';

/** Tests that fail on the head, and checks that fail without saying which test. */
export const failingTests: Source = {
  name: 'failing-tests',
  canChange: never,
  find: async ({ baseline, settings: { checks }, fileIn }) => {
    if (!baseline) return { items: [] };
    return { items: [...failing(baseline), ...checkErrors(baseline, checks, await fileIn()).others] };
  },
};
