import { checkErrors } from '../../../../loops/improvement/discovery/check-errors.ts';
import { never, type Source } from './source.ts';

/** What the linters among the checks complain of on the head. */
export const lintFindings: Source = {
  name: 'lint',
  canChange: never,
  find: async ({ baseline, settings: { checks }, fileIn }) => ({
    items: baseline ? checkErrors(baseline, checks, await fileIn()).lint : [],
  }),
};
