/** An integer for people: `1,200`. Written by hand: the first use of a locale takes 15 ms of a start. */
export const grouped = (count: number): string => String(count).replace(/\B(?=(?:\d{3})+$)/g, ',');

/** A count with its unit, for people: `1 step`, `1,200 tokens`, `2 retries`. */
export const amount = (count: number, unit: string, units = `${unit}s`): string =>
  `${grouped(count)} ${count === 1 ? unit : units}`;
