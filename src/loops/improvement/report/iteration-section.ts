import type { Block, Cell, Table } from '../../../kernel/report-page.ts';
import { grouped, formatMoney } from '../../../text/money.ts';
import { span } from '../../../projections/phrases.ts';
import type { ImprovementNight } from './improvement-night.ts';
import type { IterationRecord } from './iteration-records.ts';

const COST_COLUMNS: Table['columns'] = [
  { name: 'tokens', isNumber: true },
  { name: 'cost', isNumber: true },
];

/** The iterations, one in a row. */
export function iterationBlocks({ iterations, options }: ImprovementNight): readonly Block[] {
  if (iterations.length === 0) return [];
  return [
    { kind: 'heading', text: 'Iteration by iteration' },
    {
      kind: 'table',
      columns: [
        { name: 'iteration', isNumber: true },
        { name: 'result' },
        { name: 'found', isNumber: true },
        { name: 'tried before', isNumber: true },
        { name: 'below the minimum', isNumber: true },
        { name: 'tried', isNumber: true },
        { name: 'took', isNumber: true },
        ...(options.costTracking ? COST_COLUMNS : []),
      ],
      rows: iterations.map((one) => [
        `${one.number}`,
        resultCell(one),
        grouped(one.found),
        grouped(one.known),
        grouped(one.belowMinimum),
        `${one.tried}`,
        span(one.durationMs),
        ...costCells(one),
      ]),
    },
  ];
}

function resultCell({ result, error }: IterationRecord): Cell {
  const text = error === undefined ? result : `${result}: ${error}`;
  if (result === 'improvement-found') return { text, tone: 'good' };
  return result === 'error' ? { text, tone: 'bad' } : text;
}

const costCells = ({ tokens, costNanoUsd }: IterationRecord): readonly Cell[] =>
  tokens ? [grouped(tokens.total), costNanoUsd ? formatMoney(costNanoUsd.total) : '-'] : [];
