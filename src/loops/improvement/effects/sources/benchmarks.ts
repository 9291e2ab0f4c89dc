import type { Benchmark } from '../../../../../machines/improvement-options.ts';
import { type CommandResult, runCommand } from '../../../../actors/subprocess.ts';
import { type Found, RULE_SCORES } from '../../discovery/finding-facts.ts';
import { whyFailed } from '../failure-cause.ts';
import type { Looking, Source } from './source.ts';

/** The median of so many runs is compared with the target: one run alone may have been unlucky. */
const TIMES = 3;
const MAX_OUTPUT_BYTES = 256 * 1024;

/** Benchmarks that are worse than their target on the head. */
export const benchmarks: Source = {
  name: 'benchmarks',
  canChange: ({ evaluate }) => evaluate.benchmarks.some(({ target }) => target !== undefined),
  find: async (of) => {
    const items: Found[] = [];
    const problems: string[] = [];
    for (const benchmark of of.options.evaluate.benchmarks) {
      if (benchmark.target === undefined || of.signal.aborted) continue;
      const value = await medianOf(benchmark, of);
      if (typeof value === 'string') problems.push(`${benchmark.name} ${value}`);
      else if (isWorse(value, benchmark.target, benchmark)) items.push(slow(benchmark, value, benchmark.target));
    }
    return problems.length === 0
      ? { items }
      : { items, fault: { code: 'benchmark_failed', message: problems.join('; ') } };
  },
};

const isWorse = (value: number, target: number, { higherIsBetter }: Benchmark): boolean =>
  higherIsBetter ? value < target : value > target;

function slow({ name, command, metric, higherIsBetter }: Benchmark, value: number, target: number): Found {
  const unit = metric === undefined ? ' ms' : '';
  const wanted = `${higherIsBetter ? 'at least' : 'at most'} ${target}${unit}`;
  return {
    source: 'benchmarks',
    title: `Benchmark ${name}: ${rounded(value)}${unit}, wanted ${wanted}`,
    summary: `\`${command}\` gives ${rounded(value)}${unit} (median of ${TIMES} runs); its target is ${wanted}.`,
    score: RULE_SCORES.benchmark,
    identity: name,
    check: name,
  };
}

const rounded = (value: number): number => Number(value.toPrecision(4));

/** Why there is no value, as the end of a sentence, or the value. */
async function medianOf(benchmark: Benchmark, of: Looking): Promise<number | string> {
  const values: number[] = [];
  for (let time = 0; time < TIMES; time += 1) {
    const value = valueOf(benchmark, await ranOnce(benchmark, of));
    if (typeof value === 'string') return value;
    values.push(value);
  }
  return values.toSorted((one, other) => one - other)[Math.floor(TIMES / 2)] ?? Number.NaN;
}

const ranOnce = ({ command, timeoutMs }: Benchmark, { run, settings, signal }: Looking): Promise<CommandResult> =>
  runCommand({
    run,
    command,
    directory: settings.directory,
    passes: settings.environment ?? [],
    timeoutMs,
    signal,
    maxOutputBytes: MAX_OUTPUT_BYTES,
  });

function valueOf({ metric, timeoutMs }: Benchmark, ended: CommandResult): number | string {
  const why = whyFailed(ended, timeoutMs);
  if (why !== null || ended.kind === 'not_started') return why ?? 'did not start';
  if (metric === undefined) return ended.durationMs;
  const [, printed = ''] = new RegExp(metric, 'm').exec(ended.output) ?? [];
  const value = printed.trim() === '' ? Number.NaN : Number(printed);
  return Number.isFinite(value) ? value : `printed no number that fits its metric /${metric}/`;
}
