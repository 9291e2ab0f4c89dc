import { formatMoney } from '../text/money.ts';
import { inSeconds } from '../text/time-span.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

/** A cost in billionths of a US dollar, for people. */
export const money = (nanoUsd: number | null): string => (nanoUsd === null ? 'no price known' : formatMoney(nanoUsd));

/** A count with its thousands apart. */
export const grouped = (count: number): string => count.toLocaleString('en-US');

/** How long something took. */
export const took = (ms: number): string => (ms < 1_000 ? `${Math.round(ms)} ms` : inSeconds(Math.round(ms / 1_000)));

/** How long ago a time was. */
export function ago(at: string, now: number): string {
  const ms = Math.max(0, now - Date.parse(at));
  if (ms < MINUTE_MS) return 'now';
  if (ms < HOUR_MS) return `${Math.floor(ms / MINUTE_MS)} min ago`;
  return ms < DAY_MS ? `${Math.floor(ms / HOUR_MS)} h ago` : `${Math.floor(ms / DAY_MS)} d ago`;
}

/** A run's id where space is short: ids begin with their time, so their ends differ. */
export const shortId = (run: string): string => run.slice(-8);

/** The time of day. */
export const clock = (at: string): string => new Date(at).toLocaleTimeString();

const TONES: { readonly [kind: string]: string } = {
  success: 'good',
  cap_hit: 'limit',
  budget: 'limit',
  doom_loop: 'odd',
  abort: 'bad',
  damaged: 'bad',
  waiting: 'asks',
  running: 'runs',
  paused: 'still',
  interrupted: 'still',
};

/** The class that colours an ending or a standing. The words beside it say the same. */
export const toneOf = (kind: string, asks = 0): string => (asks > 0 ? 'asks' : (TONES[kind] ?? 'still'));
