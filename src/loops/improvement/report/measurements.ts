import type { Measurement } from '../../../../machines/improvement-facts.ts';
import type { Benchmark } from '../../../../machines/improvement-options.ts';
import { triedOf } from './candidate-results.ts';
import type { Experiment } from './experiments.ts';
import type { TriedCandidate } from './night-candidates.ts';

/** A candidate, measured by one benchmark against the tree that it began with. */
export interface MeasuredChange extends TriedCandidate, Measurement {
  readonly tier: string;
  readonly passed: boolean;
  /** The pairs that an estimate takes: of fewer, neither the ratio nor its interval is one. */
  readonly wantedPairs: number;
}

/** What benchmarks have measured, in the order of the candidates. */
export const measuredChanges = (
  tried: readonly Experiment[],
  benchmarks: readonly Benchmark[],
): readonly MeasuredChange[] =>
  tried.flatMap((experiment) =>
    experiment.tiers.flatMap(({ tier, passed, measurement }) =>
      measurement
        ? [{ ...triedOf(experiment), tier, passed, ...measurement, wantedPairs: wantedFor(tier, benchmarks) }]
        : [],
    ),
  );

const wantedFor = (tier: string, benchmarks: readonly Benchmark[]): number =>
  benchmarks.find(({ name }) => tier === `benchmark: ${name}`)?.pairs ?? 0;
