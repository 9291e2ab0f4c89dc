import type { Block, Figure, ReportPage } from '../../../kernel/report-page.ts';
import { span } from '../../../projections/phrases.ts';
import { grouped, formatMoney } from '../../../text/money.ts';
import { costBlocks, improvementLine } from './cost-section.ts';
import type { ImprovementNight } from './improvement-night.ts';
import { iterationBlocks } from './iteration-section.ts';
import { keptBlocks } from './keep-section.ts';
import { refusedBlocks } from './refusal-section.ts';
import { sourceBlocks } from './source-section.ts';
import { tierBlocks } from './tier-section.ts';
import { unshownBlocks } from './omission-section.ts';

const RATIO_DIGITS = 3;

const MEASURED =
  'A ratio compares a candidate with the tree that it began with. The interval has it with 95 % confidence.';
const CUT =
  'Where fewer pairs were measured than wanted, the candidate was for something else, and no others could have made ' +
  'it clearly worse: such a ratio is no estimate.';

/** What benchmarks have measured. */
function measurementBlocks({ measured }: ImprovementNight): readonly Block[] {
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

/** The page of a report: what was kept, what was not and why, where it came from, and what it has cost. */
export function nightPage(night: ImprovementNight): ReportPage {
  const { run, prompt, ending, iterations } = night;
  return {
    title: `Improvements by run ${run}`,
    blocks: [
      ...(prompt === '' ? [] : [text(prompt)]),
      figures(night),
      ...(ending === null ? [] : [text(`How it ended: ${ending.reason}.`)]),
      ...keptBlocks(night),
      ...unshownBlocks(night),
      ...refusedBlocks(night),
      ...besideBlocks(night),
      ...tierBlocks(night),
      ...measurementBlocks(night),
      ...sourceBlocks(night),
      ...iterationBlocks(night),
      ...(iterations.length === 0 ? [] : [improvementLine(night)]),
      ...costBlocks(night),
    ],
  };
}

/** Not in the worktrees of experiments, but in the folder of the person. */
const besideBlocks = ({ besides }: ImprovementNight): readonly Block[] =>
  besides.length === 0 ? [] : [{ kind: 'heading', text: 'What changed beside it' }, ...besides.map(text)];

const text = (said: string): Block => ({ kind: 'text', text: said });

function figures(night: ImprovementNight): Block {
  const { ending, counts, notShown, tookMs } = night;
  return {
    kind: 'figures',
    figures: [
      { name: 'ending', value: ending?.name ?? 'under way', tone: ending?.outcome === 'success' ? 'good' : 'quiet' },
      { name: 'improvements', value: grouped(counts.improvements) },
      ...(notShown.length === 0 ? [] : [{ name: 'not shown', value: grouped(notShown.length) }]),
      { name: 'iterations', value: grouped(counts.iterations) },
      { name: 'rate', value: counts.rate.toFixed(2) },
      { name: 'took', value: span(tookMs) },
      ...costFigures(night),
    ],
  };
}

function costFigures({ costs }: ImprovementNight): readonly Figure[] {
  if (!costs) return [];
  const { tokens, nanoUsd } = costs;
  return [
    { name: 'tokens', value: grouped(tokens.total) },
    ...(nanoUsd ? [{ name: 'cost', value: formatMoney(nanoUsd.total) }] : []),
  ];
}
