/** How long `npm test` may take on two cores. */
const LIMIT_MS = 5 * 60_000;
/** So many files are named when it took longer. */
const NAMED = 10;

export interface Timed {
  readonly file: string;
  readonly ms: number;
}

/** Names the slowest files of a run that took longer than its limit. Null: it did not. */
export function slowFiles(files: readonly Timed[], tookMs: number, limitMs = LIMIT_MS): string | null {
  if (tookMs <= limitMs) return null;
  const slowest = files.toSorted((one, other) => other.ms - one.ms).slice(0, NAMED);
  return [
    `The tests took ${seconds(tookMs)}; their limit is ${seconds(limitMs)}. The slowest files:`,
    ...slowest.map(({ file, ms }) => `  ${seconds(ms).padStart(7)}  ${file}`),
    'Make them faster, or take turns: docs/contributing.md, "Tiers of tests".',
  ].join('\n');
}

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;
