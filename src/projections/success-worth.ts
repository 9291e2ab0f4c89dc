import type { Weakness } from '../evidence/grade.ts';
import { BECAUSE } from './grade-text.ts';
import { type Approval, approvalOf } from './approval.ts';
import { gradedSuccess } from './graded-success.ts';
import type { RunSummary } from './run-summary.ts';
import { shortfallOf } from './shortfall.ts';

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
