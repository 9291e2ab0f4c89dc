/** As many digits as the largest version can have: offsets are in the order of their texts. */
const DIGITS = 16;
const OFFSET = new RegExp(String.raw`^\d{${DIGITS}}$`);

/** Where a reader of a stream begins: after a version, or at its end. */
export type StreamStart = number | 'now';

/** The offset after a version. */
export const offsetOf = (version: number): string => String(version).padStart(DIGITS, '0');

/** What an offset of a request means: `-1`, and none, are the beginning. Null: it is no offset. */
export function startOf(offset: string | undefined): StreamStart | null {
  if (offset === undefined || offset === '-1') return 0;
  if (offset === 'now') return 'now';
  return OFFSET.test(offset) ? Number(offset) : null;
}

/** How long answers to readers that wait may be shared, in seconds. */
const INTERVAL_S = 20;

/** A number that grows with time, and past the one that a reader has sent: so that no cache answers it for ever. */
export function cursorAfter(sent: string | undefined): string {
  const now = Math.floor(Date.now() / 1_000 / INTERVAL_S);
  const before = /^\d{1,15}$/.test(sent ?? '') ? Number(sent) : -1;
  return String(before >= now ? before + 1 : now);
}
