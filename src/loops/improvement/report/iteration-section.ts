import type { Block, Cell } from '../../../kernel/report-page.ts';
import { grouped } from '../../../text/amount.ts';
import { formatMoney } from '../../../text/money.ts';
import { span } from '../../../projections/phrases.ts';
import type { IterationResult, RecordedModification } from '../history/iteration-result.ts';
import type { ToldRun } from './told-run.ts';

type Result = IterationResult<RecordedModification>;

/** The iterations, one in a row. */
export function iterationBlocks({ history, experiments, findings, options }: ToldRun): readonly Block[] {
  const iterations = history.iterations();
  if (iterations.length === 0) return [];
  const triedIn = (number: number) => experiments.tried.filter(({ iteration }) => iteration === number).length;
  const foundIn = (number: number) => findings.iterations.findLast(({ iteration }) => iteration === number);
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
        ...(options.costTracking
          ? ([
              { name: 'tokens', isNumber: true },
              { name: 'cost', isNumber: true },
            ] as const)
          : []),
      ],
      rows: iterations.map((one) => {
        const found = foundIn(one.iterationNumber);
        return [
          `${one.iterationNumber}`,
          resultCell(one),
          grouped(found?.found ?? 0),
          grouped(found?.known ?? 0),
          grouped(found?.refused ?? 0),
          `${triedIn(one.iterationNumber)}`,
          span(one.duration),
          ...(options.costTracking ? [grouped(one.cost.total), moneyOf(one)] : []),
        ];
      }),
    },
  ];
}

function resultCell({ type, error }: Result): Cell {
  const said = error === undefined ? type : `${type}: ${error}`;
  if (type === 'improvement-found') return { text: said, tone: 'good' };
  return type === 'error' ? { text: said, tone: 'bad' } : said;
}

const moneyOf = ({ costNanoUsd }: Result): string => (costNanoUsd ? formatMoney(costNanoUsd.total) : '-');
