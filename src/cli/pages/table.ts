import { widthOf } from '../terminal/width.ts';

/**
 * Rows as columns, each as wide as its widest cell. The last column is not padded; an empty column is left out.
 */
export function columns(rows: readonly (readonly string[])[]): string[] {
  const count = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: count }, (_, column) =>
    Math.max(...rows.map((row) => widthOf(row[column] ?? ''))),
  );
  const padded = (cell: string, column: number) =>
    cell + ' '.repeat(Math.max(0, (widths[column] ?? 0) - widthOf(cell)));
  const isUsed = (_cell: string, column: number) => widths[column] !== 0;
  return rows.map((row) => [...row.slice(0, -1).map(padded).filter(isUsed), ...row.slice(-1)].join('  ').trimEnd());
}
