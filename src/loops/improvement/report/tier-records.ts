import type { EventOf } from '../../../../machines/events.ts';
import { findingOf } from './candidate-results.ts';
import type { Experiment } from './experiments.ts';
import type { NightFinding } from './night-candidates.ts';

/** What one tier of the evaluation has said in a whole run. */
export interface TierRecord {
  readonly tier: string;
  readonly passed: number;
  /** The candidates that it refused, and those that it did not show. */
  readonly refused: readonly NightFinding[];
  /** Tests that passed only when they were run again. */
  readonly flickered: readonly string[];
  readonly durationMs: number;
}

/** The tiers of a run, in the order in which they first ran. */
export function tierRecords(tried: readonly Experiment[]): readonly TierRecord[] {
  const records = new Map<string, TierRecord>();
  for (const experiment of tried) {
    for (const said of experiment.tiers) {
      const { tier, passed, flickered = [], durationMs } = said;
      const before = records.get(tier) ?? { tier, passed: 0, refused: [], flickered: [], durationMs: 0 };
      records.set(tier, {
        tier,
        passed: before.passed + (passed ? 1 : 0),
        refused: refuses(said, experiment) ? [...before.refused, findingOf(experiment.discovery)] : before.refused,
        flickered: [...new Set([...before.flickered, ...flickered])],
        durationMs: before.durationMs + durationMs,
      });
    }
  }
  return [...records.values()];
}

/** What no witness shows is not refused where a person decides about it. */
const refuses = ({ passed, kind }: EventOf<'tier.completed'>['payload'], { evaluation }: Experiment): boolean =>
  !passed && !(kind === 'witness' && evaluation?.passed);
