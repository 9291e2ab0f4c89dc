import { withEvidence } from './evidence.ts';

/** Calls in a row that are the same. */
export interface CallStreak {
  readonly signature: string | null;
  readonly count: number;
  /** The answers that asked for the last of them. */
  readonly evidence: readonly string[];
}

export const NO_STREAK: CallStreak = { signature: null, count: 0, evidence: [] };

/** The streak after one more call, with at most so many answers as evidence. A call without signature ends it. */
export function lengthened(streak: CallStreak, signature: string | null, id: string, keep: number): CallStreak {
  if (signature === null) return NO_STREAK;
  if (streak.signature !== signature) return { signature, count: 1, evidence: [id] };
  return { signature, count: streak.count + 1, evidence: withEvidence(streak.evidence, id, keep) };
}
