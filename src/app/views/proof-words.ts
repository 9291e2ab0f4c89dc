import type { Doubt } from '../../evidence/proof-verdict.ts';
import type { LegName } from '../../verification/proof-places.ts';

/** What the checks run on. */
export const LEG_TEXT: { readonly [leg in LegName]: string } = {
  start: 'what the run began with',
  base: 'the work with the grounds of its start',
  work: 'the work as it is',
  again: 'the tests that turned green, once more',
  control: 'tests that must fail, and planted errors',
  'held-out': 'the same, with the held-out files',
};

/** Why work is not proven. */
export const DOUBTS: { readonly [doubt in Doubt]: string } = {
  'base-leg': `the checks fail on ${LEG_TEXT.base}`,
  'work-leg': `the checks fail on ${LEG_TEXT.work}`,
  'lost-tests': 'tests that its start had do not pass',
  'no-report': 'a check passes whose test runner did not report to the end',
  touched: 'the work wrote to tests or configuration while its checks ran',
  unsteady: 'tests pass with the work, and fail when it is checked again',
  control: 'tests that must fail do not, with the work',
  'held-out': 'held-out checks fail',
  'held-out-changed': 'the held-out files are not those of the start',
  provided: 'provided files changed since the run began: put them back as they were',
  dependencies:
    'installed dependencies changed since the run began: install them anew, then --trust-dependencies takes them as they are',
  'pointers-home': 'without walls, dependencies lead back into the workspace',
};
