import { checkErrors } from '../../../../loops/improvement/discovery/check-errors.ts';
import { never, type Source } from './source.ts';

/** What the compilers among the checks complain of on the head. */
export const typeErrors: Source = {
  name: 'type-errors',
  canChange: never,
  find: async ({ baseline, settings: { checks }, fileIn }) => ({
    items: baseline ? checkErrors(baseline, checks, await fileIn()).types : [],
  }),
};
