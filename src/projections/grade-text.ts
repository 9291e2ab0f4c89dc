import type { Grade } from '../../machines/outcome.ts';
import type { Graded, Weakness } from '../evidence/grade.ts';

/** The worth of passed checks, in half a line. */
const MEANS: { readonly [grade in Grade]: string } = {
  witnessed: 'a test failed before and passes now, and the checks find errors that are planted',
  approved: 'a person let exactly these changes of tests count',
  verified: 'the checks pass, and rest on nothing that the work could change',
  weak: 'the checks pass, but rest on what the work could change',
  'not regressed': 'nothing that passed before fails',
};

/** Why a success is worth no more. */
export const BECAUSE: { readonly [weakness in Weakness]: string } = {
  'in-workspace': 'the checks ran in the workspace, where the work can change what they rest on',
  'grounds-approved': 'a person let changed tests or configuration count',
  'grounds-allowed': 'the run was started to let changes of these tests or configuration count',
  'dependencies-changed':
    'installed dependencies have changed since the run began (npm ci, then: loopfold prove RUN --trust-dependencies)',
  'dependencies-unknown': 'whether installed dependencies have changed is not known',
  'dependencies-unmet': 'what is installed is not what the manifest or the lockfile asks for',
  'tools-changed': 'programs that the checks start have changed since the run began',
  'outside-changed': 'files outside of the workspace that the checks rest on have changed since the run began',
  'pointers-home': 'what is installed leads back into the workspace, and there were no walls',
  'no-tests': 'a check that runs the work names no test',
  'tests-unplaced': 'the tests of a check name no file, and the work changed files that may be tests',
  suppressions: 'a compiler, linter or measure of coverage is silenced in more places than before',
  'tests-in-sources': 'tests were changed that lie in files which are no grounds',
  flaky: 'a check that failed before passes now, by flaky tests alone',
  'nothing-turned': 'no test failed before and passes now',
  'reads-only': 'no check that runs the work failed before and passes now, but one that reads it',
  'no-control': 'no test that must fail could be run beside them',
  'bare-control': 'no false assertion could be added to its tests',
  'unnoticed-control': 'tests that must fail were added to its tests, and its runner did not take them',
  'no-walls': 'there were no walls around the checks',
  'one-leg': 'the work did not run with its own tests',
  network: 'a check had the network',
};

/** A grade, its meaning, and what keeps it from a better one. */
export const gradeText = ({ grade, because }: Graded): string =>
  [`${grade} (${MEANS[grade]})`, because.map((one) => BECAUSE[one]).join('; ')]
    .filter((text) => text !== '')
    .join(': ');
