import type { Bars, Block, Line, Table } from '../../../kernel/report-page.ts';
import { grouped, formatMoney } from '../../../text/money.ts';
import { NO_COSTS, PHASE_NAMES } from '../history/iteration-result.ts';
import type { ImprovementNight } from './improvement-night.ts';
import type { IterationRecord } from './iteration-records.ts';

const PER_CENT = 100;

/** What each phase has cost, and when. */
export function costBlocks(night: ImprovementNight): readonly Block[] {
  const { costs, iterations } = night;
  if (!costs) return [{ kind: 'text', text: 'Costs are not shown: costTracking is off.' }];
  return [
    { kind: 'heading', text: 'What it has cost' },
    phaseTable(costs),
    ...(iterations.length === 0 ? [] : [costBars(iterations), costLine(night)]),
  ];
}

/** The improvements of a run over time. */
export const improvementLine = (night: ImprovementNight): Line => ({
  kind: 'line',
  title: 'Improvements over time',
  unit: 'improvements',
  points: growing(night, ({ result }) => (result === 'improvement-found' ? 1 : 0)),
});

const costLine = (night: ImprovementNight): Line => ({
  kind: 'line',
  title: 'Tokens over time',
  unit: 'tokens',
  points: growing(night, ({ tokens = NO_COSTS }) => tokens.total),
});

/** The sum over all iterations that were over by then, at the end of each. */
function growing(
  { iterations, startedAt }: ImprovementNight,
  amountOf: (iteration: IterationRecord) => number,
): Line['points'] {
  let value = 0;
  return iterations.map((one) => {
    value += amountOf(one);
    return { atMs: Math.max(0, Date.parse(one.endedAt) - Date.parse(startedAt)), value };
  });
}

const costBars = (iterations: readonly IterationRecord[]): Bars => ({
  kind: 'bars',
  title: 'Tokens of each iteration, by phase',
  unit: 'tokens',
  group: 'iteration',
  parts: PHASE_NAMES,
  groups: iterations.map(({ number, tokens = NO_COSTS }) => ({
    name: `${number}`,
    values: PHASE_NAMES.map((phase) => tokens[phase]),
  })),
});

function phaseTable({ tokens, nanoUsd }: NonNullable<ImprovementNight['costs']>): Table {
  const share = (part: number) => (tokens.total === 0 ? '-' : `${Math.round((part / tokens.total) * PER_CENT)} %`);
  return {
    kind: 'table',
    columns: [
      { name: 'phase' },
      { name: 'tokens', isNumber: true },
      { name: 'share', isNumber: true },
      ...(nanoUsd ? ([{ name: 'cost', isNumber: true }] as const) : []),
    ],
    rows: [...PHASE_NAMES, 'total' as const].map((phase) => [
      phase,
      grouped(tokens[phase]),
      share(tokens[phase]),
      ...(nanoUsd ? [formatMoney(nanoUsd[phase])] : []),
    ]),
  };
}
