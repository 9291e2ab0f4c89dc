import type { Block } from '../../../kernel/report-page.ts';
import type { ImprovementNight } from './improvement-night.ts';

const RATIO_DIGITS = 3;

const MEASURED =
  'A ratio compares a candidate with the tree that it began with. The interval has it with 95 % confidence.';
const CUT =
  'Where fewer pairs were measured than wanted, the candidate was for something else, and no others could have made ' +
  'it clearly worse: such a ratio is no estimate.';

/** What benchmarks have measured. */
export function measurementBlocks({ measured }: ImprovementNight): readonly Block[] {
  if (measured.length === 0) return [];
  const isCut = measured.some(({ pairs, wantedPairs }) => pairs < wantedPairs);
  const shown = (ratio: number) => ratio.toFixed(RATIO_DIGITS);
  return [
    { kind: 'heading', text: 'What was measured' },
    { kind: 'text', text: isCut ? `${MEASURED} ${CUT}` : MEASURED },
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
      rows: measured.map(({ finding, tier, passed, ratio, low, high, threshold, pairs, wantedPairs, seed }) => [
        finding.title,
        tier,
        passed ? { text: 'passed', tone: 'good' } : { text: 'refused', tone: 'bad' },
        shown(ratio),
        pairs < wantedPairs ? '-' : `${shown(low)} to ${shown(high)}`,
        shown(threshold),
        pairs < wantedPairs ? `${pairs} of ${wantedPairs}` : `${pairs}`,
        `${seed}`,
      ]),
    },
  ];
}
