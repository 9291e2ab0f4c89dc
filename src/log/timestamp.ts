const SECOND_MS = 1_000;
const DIGITS_OF_MS = 3;
const AFTER_SECONDS = '000Z'.length;
/** The newest second that was written out: events that follow one another mostly have the same. */
let second = Number.NaN;
let upToSecond = '';

/** The RFC 3339 text of a time in milliseconds since 1970. */
export function timestamp(ms: number): string {
  const current = Math.floor(ms / SECOND_MS);
  if (current !== second) {
    upToSecond = new Date(current * SECOND_MS).toISOString().slice(0, -AFTER_SECONDS);
    second = current;
  }
  return `${upToSecond}${String(ms - current * SECOND_MS).padStart(DIGITS_OF_MS, '0')}Z`;
}
