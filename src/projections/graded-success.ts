import { type Graded, gradedChecks } from '../evidence/grade.ts';
import type { RunSummary } from './run-summary.ts';

/** What a success is worth, and why not more. Null: no checks passed, or they had no grade. */
export function gradedSuccess({ ending, verification }: Pick<RunSummary, 'ending' | 'verification'>): Graded | null {
  const outcome = ending?.outcome;
  const isGraded = outcome?.ending === 'success' && outcome.verified?.grade !== undefined;
  return isGraded && verification ? gradedChecks(verification) : null;
}
