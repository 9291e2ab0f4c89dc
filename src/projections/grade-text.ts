import type { Grade } from '../../machines/outcome.ts';
import { type Graded, type Weakness, gradedChecks } from '../evidence/grade.ts';
import type { RunSummary } from './run-summary.ts';
import { uncontrolledChecks } from '../evidence/enough.ts';
import { flagOf } from '../options/option-table.ts';
import { oneLine } from './phrases.ts';
import type { Approver } from '../../machines/recorded-proof.ts';
import { approverText } from './approver-text.ts';

const DIGEST_CHARACTERS = 16;

/** The ruling by which changed tests count in a success: who, when, and about which difference. */
export interface Approval {
  readonly approver: Approver;
  /** RFC 3339. */
  readonly at: string;
  readonly digest: string;
}

/** The ruling that the newest checks of a run rest on. Null: on none, or no person is known to have ruled. */
function approvalOf({ verification, ruled }: Pick<RunSummary, 'verification' | 'ruled'>): Approval | null {
  const { is, approver, digest } = verification?.proof?.dispute ?? {};
  if (is !== 'approved' || !approver || digest === undefined || ruled?.digest !== digest) return null;
  return { approver, at: ruled.at, digest };
}

/** Such a ruling in one line. */
export const approvalText = ({ approver, at, digest }: Approval): string =>
  `approved by ${approverText(approver)}, ${at}, difference ${digest.slice(0, DIGEST_CHARACTERS)}`;

const MAX_CHECKS = 5;
const MAX_NAME_CHARS = 80;

/**
 * Returns why a `verified` success is not enough, and what would make it so. Null: it is, or it is weak, and has its
 * reasons.
 */
function shortfallOf({ ending, verification }: Pick<RunSummary, 'ending' | 'verification'>): string | null {
  const outcome = ending?.outcome;
  const verified = outcome?.ending === 'success' ? outcome.verified : null;
  if (verified?.grade !== 'verified' || verified.enough !== false) return null;
  if (verification?.version !== verified.version) return null;
  const checks = uncontrolledChecks(verification.proof?.controls);
  const named = checks.slice(0, MAX_CHECKS).map((check) => oneLine(check, MAX_NAME_CHARS));
  const more = checks.length > named.length ? ` and ${checks.length - named.length} more` : '';
  const which = named.length === 0 ? 'any check' : `${named.join(', ')}${more}`;
  return `not enough: no planted error was found by ${which}; ${flagOf('accept')} verified takes such a success`;
}

/** The worth of a success, as far as it is known beside its grade. */
export interface SuccessWorth {
  /** The reasons that keep the checks that passed from a better grade, the gravest first. */
  readonly weaknesses: readonly Weakness[];
  /** The same in words. */
  readonly because: readonly string[];
  /** Files outside of the workspace that its checks rest on, and that changed while it ran. */
  readonly outsideChanged: readonly string[];
  /** The reason why a `verified` success is not enough, and the way to make it so. */
  readonly shortfall: string | null;
  /** Who let changed tests or configuration count, when, and which difference. */
  readonly approval: Approval | null;
}

/** A run that has not ended in a success has nothing of it. */
export const NO_WORTH: SuccessWorth = {
  weaknesses: [],
  because: [],
  outsideChanged: [],
  shortfall: null,
  approval: null,
};

/** Finds it out from the summary of a run. */
export function worthOf(summary: Pick<RunSummary, 'ending' | 'verification' | 'ruled'>): SuccessWorth {
  const graded = gradedSuccess(summary);
  const weaknesses = graded?.because ?? [];
  return {
    weaknesses,
    because: weaknesses.map((one) => BECAUSE[one]),
    outsideChanged: (graded && summary.verification?.proof?.outsideChanged) ?? [],
    shortfall: shortfallOf(summary),
    approval: approvalOf(summary),
  };
}

/**
 * What a success is worth, and why not more. Null: no checks passed, they had no grade, or the success has one of its
 * own, as an improvement does.
 */
function gradedSuccess({ ending, verification }: Pick<RunSummary, 'ending' | 'verification'>): Graded | null {
  const outcome = ending?.outcome;
  const grade = outcome?.ending === 'success' ? outcome.verified?.grade : undefined;
  const graded = grade !== undefined && verification ? gradedChecks(verification) : null;
  return graded?.grade === grade ? graded : null;
}

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
