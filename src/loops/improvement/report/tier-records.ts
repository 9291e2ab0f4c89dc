import type { Experiment } from './experiments.ts';

/** What one tier of the evaluation has said in a whole run. */
export interface TierRecord {
  readonly tier: string;
  readonly passed: number;
  /** The candidates that it refused. */
  readonly refused: readonly Experiment[];
  /** Tests that passed only when they were run again. */
  readonly flickered: readonly string[];
  readonly durationMs: number;
}

/** The tiers of a run, in the order in which they first ran. */
export function tierRecords(tried: readonly Experiment[]): readonly TierRecord[] {
  const records = new Map<string, TierRecord>();
  for (const experiment of tried) {
    for (const { tier, passed, flickered = [], durationMs } of experiment.tiers) {
      const before = records.get(tier) ?? { tier, passed: 0, refused: [], flickered: [], durationMs: 0 };
      records.set(tier, {
        tier,
        passed: before.passed + (passed ? 1 : 0),
        refused: passed ? before.refused : [...before.refused, experiment],
        flickered: [...new Set([...before.flickered, ...flickered])],
        durationMs: before.durationMs + durationMs,
      });
    }
  }
  return [...records.values()];
}
