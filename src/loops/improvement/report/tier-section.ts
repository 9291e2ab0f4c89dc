import type { Benchmark } from '../../../../machines/improvement-options.ts';
import type { Block } from '../../../kernel/report-page.ts';
import { span } from '../../../projections/phrases.ts';
import type { Experiment } from './experiments.ts';
import { tierRecords } from './tier-records.ts';
import type { ToldRun } from './told-run.ts';

const RATIO_DIGITS = 3;

const MEASURED =
  'A ratio compares a candidate with the tree that it began with. The interval has it with 95 % confidence.';
const CUT =
  'Where fewer pairs were measured than wanted, the candidate was for something else, and no others could have made ' +
  'it clearly worse: such a ratio is no estimate.';

/** Which tier of the evaluation caught what, and what benchmarks measured. */
export function tierBlocks({ experiments: { tried }, options }: ToldRun): readonly Block[] {
  const records = tierRecords(tried);
  if (records.length === 0) return [];
  return [
    { kind: 'heading', text: 'Which tier caught what' },
    {
      kind: 'table',
      columns: [
        { name: 'tier' },
        { name: 'passed', isNumber: true },
        { name: 'refused', isNumber: true },
        { name: 'caught' },
        { name: 'flickered' },
        { name: 'took', isNumber: true },
      ],
      rows: records.map(({ tier, passed, refused, flickered, durationMs }) => [
        tier,
        `${passed}`,
        { text: `${refused.length}`, ...(refused.length > 0 ? { tone: 'bad' as const } : {}) },
        refused.map(({ discovery }) => discovery.title).join('; ') || '-',
        flickered.join(', ') || '-',
        span(durationMs),
      ]),
    },
    ...measured(tried, options.phases.evaluate.benchmarks),
  ];
}

function measured(tried: readonly Experiment[], benchmarks: readonly Benchmark[]): readonly Block[] {
  const rows = tried.flatMap(({ discovery, tiers }) =>
    tiers.flatMap(({ tier, passed, measurement }) =>
      measurement ? [{ title: discovery.title, tier, passed, ...measurement }] : [],
    ),
  );
  if (rows.length === 0) return [];
  const wantedOf = (tier: string) => benchmarks.find(({ name }) => tier === `benchmark: ${name}`)?.pairs ?? 0;
  const isCut = rows.some(({ tier, pairs }) => pairs < wantedOf(tier));
  const shown = (ratio: number) => ratio.toFixed(RATIO_DIGITS);
  return [
    { kind: 'heading', text: 'What was measured' },
    {
      kind: 'text',
      text: isCut ? `${MEASURED} ${CUT}` : MEASURED,
    },
    {
      kind: 'table',
      columns: [
        { name: 'change' },
        { name: 'tier' },
        { name: 'result' },
        { name: 'ratio', isNumber: true },
        { name: 'interval', isNumber: true },
        { name: 'threshold', isNumber: true },
        { name: 'pairs', isNumber: true },
        { name: 'seed', isNumber: true },
      ],
      rows: rows.map(({ title, tier, passed, ratio, low, high, threshold, pairs, seed }) => [
        title,
        tier,
        passed ? { text: 'passed', tone: 'good' } : { text: 'refused', tone: 'bad' },
        shown(ratio),
        pairs < wantedOf(tier) ? '-' : `${shown(low)} to ${shown(high)}`,
        shown(threshold),
        pairs < wantedOf(tier) ? `${pairs} of ${wantedOf(tier)}` : `${pairs}`,
        `${seed}`,
      ]),
    },
  ];
}
