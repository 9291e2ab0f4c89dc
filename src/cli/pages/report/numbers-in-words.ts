import type { Bars, Line, Table } from '../../../kernel/report-page.ts';
import { amount, grouped } from '../../../text/amount.ts';
import { span } from '../../../projections/phrases.ts';

/** The numbers of bars as a table: a row for each group, a column for each part. */
export const barsTable = ({ group, parts, groups }: Bars): Table => ({
  kind: 'table',
  columns: [group, ...parts].map((name) => ({ name, isNumber: true })),
  rows: groups.map(({ name, values }) => [name, ...values.map(grouped)]),
});

/** The end of a line in a sentence. Empty where it has no points. */
export function lineSentence({ title, unit, points }: Line): string {
  const last = points.at(-1);
  return last ? `${title}: ${amount(last.value, unit.replace(/s$/, ''))} after ${span(last.atMs)}.` : '';
}
