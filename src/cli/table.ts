/** Rows as columns, as wide as their widest cell; the last is left as it is. */
export function columns(rows: readonly (readonly string[])[]): string[] {
  const widthOf = (column: number) => Math.max(...rows.map((row) => row[column]?.length ?? 0));
  const widths = Array.from({ length: Math.max(0, ...rows.map((row) => row.length)) }, (_, column) => widthOf(column));
  const padded = (cell: string, column: number) => cell.padEnd(widths[column] ?? 0);
  return rows.map((row) => [...row.slice(0, -1).map(padded), ...row.slice(-1)].join('  ').trimEnd());
}
