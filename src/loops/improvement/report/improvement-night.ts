import type { PhaseCosts } from '../history/iteration-result.ts';
import { type CandidateResults, candidateResults, leftCandidate, triedOf } from './candidate-results.ts';
import type { PhaseFault } from './findings.ts';
import { type IterationRecord, iterationRecords } from './iteration-records.ts';
import type { LeftCandidate, TriedCandidate } from './night-candidates.ts';
import { type LastSearch, lastSearch, type SourceRecord, sourceRecords } from './source-records.ts';
import { type TierRecord, tierRecords } from './tier-records.ts';
import type { NightEnding, ToldRun } from './night-run.ts';
import type { Measurement } from '../../../../machines/improvement-facts.ts';
import type { Benchmark } from '../../../../machines/improvement-options.ts';
import type { Experiment } from './experiments.ts';

/** What a run of the improvement loop found, tried and kept, what it did not keep and why, and what it has cost. */
export interface ImprovementNight extends CandidateResults {
  readonly run: string;
  readonly prompt: string;
  /** RFC 3339. */
  readonly startedAt: string;
  /** Without the time in which the run was paused or interrupted. */
  readonly tookMs: number;
  /** Null while the run is under way. */
  readonly ending: NightEnding | null;
  readonly options: {
    readonly costTracking: boolean;
    readonly minRelevanceScore: number;
    /** False: candidates are only listed. */
    readonly experiments: boolean;
  };
  readonly counts: {
    readonly iterations: number;
    readonly improvements: number;
    /** Improvements divided by iterations; 0 before the first is over. */
    readonly rate: number;
  };
  /** Candidates of the last iteration that were not tried. */
  readonly left: readonly LeftCandidate[];
  /** What changed around experiments while they were under way, oldest first. */
  readonly besides: readonly string[];
  readonly tiers: readonly TierRecord[];
  readonly measured: readonly MeasuredChange[];
  readonly sources: readonly SourceRecord[];
  readonly lastSearch: LastSearch | null;
  /** What filters and plans could not do, oldest first. */
  readonly faults: readonly PhaseFault[];
  readonly iterations: readonly IterationRecord[];
  /** By phase, and in total. Absent where `costTracking` is off. */
  readonly costs?: {
    readonly tokens: PhaseCosts;
    /** Billionths of a US dollar, over what had a price. Null: nothing had one. */
    readonly nanoUsd: PhaseCosts | null;
  };
}

/** Computes the data of a report from what is folded so far. */
export function nightOf(told: ToldRun): ImprovementNight {
  const { run, prompt, startedAt, tookMs, ending, options, besides, experiments, findings, history, look } = told;
  const { costTracking, phases } = options;
  const { iterations, improvements, improvementRate } = history.stats();
  const { cost, costNanoUsd = null } = history.spent;
  return {
    run,
    prompt,
    startedAt,
    tookMs,
    ending,
    options: {
      costTracking,
      minRelevanceScore: phases.filter.minRelevanceScore,
      experiments: phases.experiment.enabled,
    },
    counts: { iterations, improvements, rate: improvementRate },
    ...candidateResults(experiments.tried, phases.evaluate.enabled),
    left: experiments.left.map(leftCandidate),
    besides: [...besides],
    tiers: tierRecords(experiments.tried),
    measured: measuredChanges(experiments.tried, phases.evaluate.benchmarks),
    sources: sourceRecords(findings, experiments.tried),
    lastSearch: lastSearch(findings, look),
    faults: [...findings.faults],
    iterations: iterationRecords(told),
    ...(costTracking ? { costs: { tokens: cost, nanoUsd: costNanoUsd } } : {}),
  };
}

/** A candidate, measured by one benchmark against the tree that it began with. */
interface MeasuredChange extends TriedCandidate, Measurement {
  readonly tier: string;
  readonly passed: boolean;
  /** The pairs that an estimate takes: of fewer, neither the ratio nor its interval is one. */
  readonly wantedPairs: number;
}

/** What benchmarks have measured, in the order of the candidates. */
const measuredChanges = (tried: readonly Experiment[], benchmarks: readonly Benchmark[]): readonly MeasuredChange[] =>
  tried.flatMap((experiment) =>
    experiment.tiers.flatMap(({ tier, passed, measurement }) =>
      measurement
        ? [{ ...triedOf(experiment), tier, passed, ...measurement, wantedPairs: wantedFor(tier, benchmarks) }]
        : [],
    ),
  );

const wantedFor = (tier: string, benchmarks: readonly Benchmark[]): number =>
  benchmarks.find(({ name }) => tier === `benchmark: ${name}`)?.pairs ?? 0;
