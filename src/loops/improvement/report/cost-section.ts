import type { Bars, Block, Line, Table } from '../../../kernel/report-page.ts';
import { grouped } from '../../../text/amount.ts';
import { formatMoney } from '../../../text/money.ts';
import { PHASE_NAMES } from '../history/phase-costs.ts';
import type { ToldRun } from './told-run.ts';

const PER_CENT = 100;

/** What each phase has cost, and when. Nothing, where the run hides its costs. */
export function costBlocks(told: ToldRun): readonly Block[] {
  if (!told.options.costTracking) return [{ kind: 'text', text: 'Costs are not shown: costTracking is off.' }];
  const bars = costBars(told);
  return [
    { kind: 'heading', text: 'What it has cost' },
    phaseTable(told),
    ...(bars.groups.length === 0 ? [] : [bars, costLine(told)]),
  ];
}

/** The improvements of a run over time. */
export const improvementLine = (told: ToldRun): Line => ({
  kind: 'line',
  title: 'Improvements over time',
  unit: 'improvements',
  points: growing(told, ({ type }) => (type === 'improvement-found' ? 1 : 0)),
});

const costLine = (told: ToldRun): Line => ({
  kind: 'line',
  title: 'Tokens over time',
  unit: 'tokens',
  points: growing(told, ({ cost }) => cost.total),
});

type Result = ReturnType<ToldRun['history']['iterations']>[number];

/** The sum over all iterations that were over by then, at the end of each. */
function growing({ history, startedAt }: ToldRun, amountOf: (result: Result) => number): Line['points'] {
  let value = 0;
  return history.iterations().map((result) => {
    value += amountOf(result);
    return { atMs: Math.max(0, Date.parse(result.timestamp) - Date.parse(startedAt)), value };
  });
}

const costBars = ({ history }: ToldRun): Bars => ({
  kind: 'bars',
  title: 'Tokens of each iteration, by phase',
  unit: 'tokens',
  group: 'iteration',
  parts: PHASE_NAMES,
  groups: history.iterations().map(({ iterationNumber, cost }) => ({
    name: `${iterationNumber}`,
    values: PHASE_NAMES.map((phase) => cost[phase]),
  })),
});

function phaseTable({ history }: ToldRun): Table {
  const { cost, costNanoUsd } = history.spent;
  const share = (tokens: number) => (cost.total === 0 ? '-' : `${Math.round((tokens / cost.total) * PER_CENT)} %`);
  return {
    kind: 'table',
    columns: [
      { name: 'phase' },
      { name: 'tokens', isNumber: true },
      { name: 'share', isNumber: true },
      ...(costNanoUsd ? ([{ name: 'cost', isNumber: true }] as const) : []),
    ],
    rows: [...PHASE_NAMES, 'total' as const].map((phase) => [
      phase,
      grouped(cost[phase]),
      share(cost[phase]),
      ...(costNanoUsd ? [formatMoney(costNanoUsd[phase])] : []),
    ]),
  };
}
