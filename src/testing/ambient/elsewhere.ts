import type { Ambient } from './ambient.ts';

/** In which every run of chance is made: with the same seed it is the same run, whatever its machine reads. */
export const here = (): Ambient => ({ nowMs: Date.UTC(2026, 2, 1, 12), random: middling() });

/**
 * In which it is folded once more. They differ in everything that a coarse reading leaves: year, month, weekday, hour and
 * millisecond; chances of one in a million and of all but one; variables that nothing sets, and that everything sets.
 */
export const elsewhere: readonly (() => Ambient)[] = [
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

/** One number after another from the middle of what there is: branches of small chance are left alone. */
function middling(): () => number {
  const numbers = spread();
  return () => 0.25 + numbers() / 2;
}

/** 1/2, 1/4, 3/4, 1/8, 5/8, …: any branch is met before long. */
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
