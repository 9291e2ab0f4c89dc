import { withEvidence } from './evidence-ids.ts';

/** Equal calls in a row. */
export interface CallStreak {
  readonly signature: string | null;
  readonly count: number;
  /** The answers that asked for the newest of them. */
  readonly evidence: readonly string[];
}

export const NO_STREAK: CallStreak = { signature: null, count: 0, evidence: [] };

/** The streak after one more call, with at most `keep` answers as evidence. A call without a signature ends it. */
export function lengthened(streak: CallStreak, signature: string | null, id: string, keep: number): CallStreak {
  if (signature === null) return NO_STREAK;
  if (streak.signature !== signature) return { signature, count: 1, evidence: [id] };
  return { signature, count: streak.count + 1, evidence: withEvidence(streak.evidence, id, keep) };
}
