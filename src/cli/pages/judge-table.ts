import { formatMoney } from '../../text/money.ts';
import { amount } from '../../projections/phrases.ts';
import type { Tally } from '../../redecide/tally.ts';
import { columns } from './table.ts';

/**
 * A line for each judge: in how many runs it agrees, ends earlier, ends otherwise, or continues into the unknown.
 */
export function judgeTable(judges: readonly { readonly judge: string; readonly tally: Tally }[]): string[] {
  const rows = judges.map(({ judge, tally: { runs, conclusions, saved } }) => [
    judge,
    String(runs),
    String(conclusions.agrees),
    String(conclusions.stops_earlier),
    String(conclusions.ends_otherwise),
    String(conclusions.goes_on),
    saved.tokens === 0 ? '-' : amount(saved.tokens, 'token'),
    saved.costNanoUsd === 0 ? '-' : formatMoney(saved.costNanoUsd),
  ]);
  const isOpen = judges.some(({ tally }) => tally.open > 0);
  return [
    ...columns([
      ['judge', 'runs', 'agree', 'end earlier', 'end otherwise', 'go on (unknown)', 'saved', 'cost saved'],
      ...rows,
    ]),
    ...(isOpen
      ? ['', 'Nothing was run: where a judge gives other feedback, or continues, the result is unknown.']
      : []),
  ];
}
