import type { Ambient } from './ambient.ts';

/** The ambient of every random walk: the same seed gives the same walk, whatever its machine reads. */
export const walkAmbient = (): Ambient => ({ nowMs: Date.UTC(2026, 2, 1, 12), random: middling() });

/**
 * The ambients in which a walk is folded again. They differ in whatever a machine might read of them: year, month,
 * weekday, hour and millisecond; random numbers near 0 and near 1; variables that are all unset, or all set.
 */
export const otherAmbients: readonly (() => Ambient)[] = [
  () => ({
    nowMs: Date.UTC(1999, 11, 31, 23, 59, 59, 987),
    random: () => 0,
    place: { variable: () => undefined, timeZone: 'Pacific/Kiritimati', locale: 'az' },
  }),
  () => ({
    nowMs: Date.UTC(2041, 6, 17, 5, 43, 21, 123),
    random: () => 1 - Number.EPSILON,
    place: { variable: () => '1', timeZone: 'America/St_Johns', locale: 'et' },
  }),
  () => ({
    nowMs: Date.UTC(2032, 1, 29, 17, 7, 1, 456),
    random: spread(),
    place: { variable: () => 'true', timeZone: 'Asia/Kathmandu', locale: 'tr' },
  }),
];

/** Numbers from the middle of the range, one after another: unlikely branches are not taken. */
function middling(): () => number {
  const numbers = spread();
  return () => 0.25 + numbers() / 2;
}

/** 1/2, 1/4, 3/4, 1/8, 5/8, …: every branch is taken before long. */
function spread(): () => number {
  let count = 0;
  return () => {
    count += 1;
    let [number, share] = [0, 1];
    for (let rest = count; rest > 0; rest = Math.floor(rest / 2)) {
      share /= 2;
      number += (rest % 2) * share;
    }
    return number;
  };
}
