import { repeatedErrors } from '../../discovery/error-repeats.ts';
import { always, type Source } from './source.ts';

/** Errors in the recorded runs of this project. */
export const runs: Source = {
  name: 'runs',
  canChange: always,
  find: async ({ earlierErrors }) => ({ items: repeatedErrors('runs', await earlierErrors()) }),
};
