const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
  ['ms', 1],
] as const;

/**
 * Milliseconds of a time such as `90s`, `30m`, `2h`, `30d` or `500ms`; null for anything else.
 *
 * @example
 * parseDuration('30m'); // 1800000
 */
export function parseDuration(text: string): number | null {
  const [, digits, unit] = /^(\d+)(ms|s|m|h|d)$/.exec(text) ?? [];
  const size = UNITS.find(([name]) => name === unit)?.[1];
  return size === undefined ? null : Number(digits) * size;
}

/**
 * A time as a person would have written it, exactly: in the largest unit that leaves no rest.
 *
 * @example
 * formatDuration(90_000); // '90s'
 */
export function formatDuration(durationMs: number): string {
  const [name, size] = UNITS.find(([, unitMs]) => durationMs >= unitMs && durationMs % unitMs === 0) ?? ['ms', 1];
  return `${durationMs / size}${name}`;
}
