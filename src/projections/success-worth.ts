import { type Graded, gradedChecks, type Weakness } from '../evidence/grade.ts';
import { BECAUSE } from './grade-text.ts';
import { type Approval, approvalOf } from './approval.ts';
import type { RunSummary } from './run-summary.ts';
import { uncontrolledChecks } from '../evidence/enough.ts';
import { flagOf } from '../options/option-names.ts';
import { oneLine } from './phrases.ts';

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
