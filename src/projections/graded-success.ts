import { type Graded, gradedChecks } from '../evidence/grade.ts';
import type { RunSummary } from './run-summary.ts';

/**
 * What a success is worth, and why not more. Null: no checks passed, they had no grade, or the success has one of its
 * own, as an improvement does.
 */
export function gradedSuccess({ ending, verification }: Pick<RunSummary, 'ending' | 'verification'>): Graded | null {
  const outcome = ending?.outcome;
  const grade = outcome?.ending === 'success' ? outcome.verified?.grade : undefined;
  const graded = grade !== undefined && verification ? gradedChecks(verification) : null;
  return graded?.grade === grade ? graded : null;
}
