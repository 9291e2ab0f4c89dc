/** Rows as columns, as wide as their widest cell; the last is left as it is. */
export function columns(rows: readonly (readonly string[])[]): string[] {
  const widthOf = (column: number) => Math.max(...rows.map((row) => row[column]?.length ?? 0));
  const widths = Array.from({ length: Math.max(0, ...rows.map((row) => row.length)) }, (_, column) => widthOf(column));
  return rows.map((row) =>
    row.map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0))).join('  ').trimEnd(),
  );
}
