import { formatMoney } from '../config/money.ts';
import { amount } from '../projections/wording.ts';
import type { Tally } from '../redecide/tally.ts';
import { columns } from './table.ts';

/** A line for each judge: in how many runs it agrees, ends them earlier or otherwise, or goes on where nothing is known. */
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
    ...columns([['judge', 'runs', 'agree', 'end earlier', 'end otherwise', 'go on (unknown)', 'saved', 'cost saved'], ...rows]),
    ...(isOpen ? ['', 'Nothing was run: where a judge says other words, or goes on, what would have come of it is not known.'] : []),
  ];
}
