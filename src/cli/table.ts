import { widthOf } from './width.ts';

/** Rows as columns, as wide as their widest cell; the last is left as it is, and a column that is empty takes no place. */
export function columns(rows: readonly (readonly string[])[]): string[] {
  const count = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: count }, (_, column) => Math.max(...rows.map((row) => widthOf(row[column] ?? ''))));
  const padded = (cell: string, column: number) => cell + ' '.repeat(Math.max(0, (widths[column] ?? 0) - widthOf(cell)));
  const isUsed = (_cell: string, column: number) => widths[column] !== 0;
  return rows.map((row) => [...row.slice(0, -1).map(padded).filter(isUsed), ...row.slice(-1)].join('  ').trimEnd());
}
