import type { Benchmark } from '../../../../machines/improvement-options.ts';
import { runCheck } from '../../../actors/verify/check-run.ts';
import { cannotBeWorse, judgeBenchmark, type MeasuredPair, notWorse } from '../evaluation/judge-benchmark.ts';
import type { LegsSubject } from '../../../verification/legs-subject.ts';
import { inProof, type PreparedLegs } from '../../../verification/prepare-legs.ts';
import { type CheckedHow, type PreparedPlace, preparedPlace } from '../../../verification/check-tree.ts';
import type { Tier } from './candidate-tier.ts';

type BenchmarkHow = Omit<CheckedHow, 'checks'> & {
  /** The benchmarks to measure, and whether a candidate has to improve them. */
  readonly benchmarks: readonly (Benchmark & { readonly hasToImprove: boolean })[];
  /** For the intervals. */
  readonly seed: number;
  /** Takes what one benchmark said. False: no other one is measured. */
  readonly say: (tier: Tier) => boolean;
};

/**
 * Measures a candidate against the head, each in a checkout of its own that stays, pair by pair, after both have run
 * once unmeasured. What the head measures with counts on both sides: files that the benchmark names are those of the
 * head. False: told to stop.
 */
export async function benchmarkTiers(subject: LegsSubject, how: BenchmarkHow): Promise<boolean> {
  if (how.benchmarks.length === 0) return true;
  const named = how.benchmarks.map(({ name, command }) => ({ name, command }));
  const own = { ...subject, checks: [...subject.checks, ...named] };
  return inProof(own, how, (candidate) =>
    inProof({ ...own, work: subject.base }, { ...how, keptFor: undefined }, async (head) => {
      const places = await Promise.all([placed(head, subject.base, how), placed(candidate, candidate.plan.first, how)]);
      const [onHead, onCandidate] = places;
      if (!onHead || !onCandidate) return false;
      for (const benchmark of how.benchmarks) {
        const tier = await measured(benchmark, { head: onHead, candidate: onCandidate }, how);
        if (tier === null) return false;
        if (!how.say(tier)) return true;
      }
      return true;
    }),
  );
}

const placed = (legs: PreparedLegs, tree: string, how: BenchmarkHow): Promise<PreparedPlace | null> =>
  preparedPlace('benchmark', tree, legs, how);

type Sides = { readonly [side in 'head' | 'candidate']: PreparedPlace };

async function measured(
  benchmark: BenchmarkHow['benchmarks'][number],
  sides: Sides,
  how: BenchmarkHow,
): Promise<Tier | null> {
  const { name, pairs, hasToImprove } = benchmark;
  const tier = { tier: `benchmark: ${name}`, kind: 'benchmark' as const };
  const judging = { ...benchmark, seed: how.seed };
  const found: MeasuredPair[] = [];
  // The first pair warms up: caches of the system, and of what is built.
  for (let pair = 0; pair <= pairs; pair += 1) {
    const values = { head: 0, candidate: 0 };
    // Turn by turn the other one begins, so that neither has the warmer machine.
    for (const side of pair % 2 === 0 ? (['head', 'candidate'] as const) : (['candidate', 'head'] as const)) {
      const value = await measure(benchmark, sides[side], how);
      if (value === null) return null;
      if (typeof value === 'string') {
        // What the head cannot be measured by, nothing is lost on: only a candidate for it is refused.
        const passed = side === 'head' && !hasToImprove;
        return { ...tier, passed, detail: `${name} on the ${side}: ${value}` };
      }
      values[side] = value;
    }
    if (pair > 0) found.push(values);
    // A benchmark that can only refuse it is measured no longer than it can.
    const isOpen = !hasToImprove && pair > 0 && pair < pairs;
    if (isOpen && cannotBeWorse(found, judging)) return { ...tier, ...notWorse(found, judging) };
  }
  return { ...tier, ...judgeBenchmark(found, judging) };
}

const MAX_OUTPUT_CHARACTERS = 1_000;

/** One run of a benchmark: milliseconds, or the number that it prints. A string says why there is none. */
async function measure(
  { name, command, timeoutMs, metric }: Benchmark,
  { at, prepared }: PreparedPlace,
  { run, environment, signal, delta }: BenchmarkHow,
): Promise<number | string | null> {
  if (!prepared) return 'its checkout cannot be prepared';
  const { directory, elsewhere } = at;
  const check = { level: 'L0' as const, name, command, timeoutMs };
  const onOutput = (text: string) => delta({ kind: 'output', text });
  const ran = await runCheck({ run, check, directory, elsewhere, environment, signal, onOutput });
  if (ran === null) return null;
  const { passed, output, durationMs } = ran.result;
  if (!passed) return `it fails: ${output.trim().slice(-MAX_OUTPUT_CHARACTERS)}`;
  if (metric === undefined) return durationMs > 0 ? durationMs : 'it takes no time that can be measured';
  const value = Number(new RegExp(metric, 'm').exec(output)?.[1] ?? Number.NaN);
  return value > 0 && Number.isFinite(value) ? value : `it prints no number above 0 that matches ${metric}`;
}
