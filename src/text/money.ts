/** An integer for people: `1,200`. Written by hand: the first use of a locale takes 15 ms of a start. */
export const grouped = (count: number): string => String(count).replace(/\B(?=(?:\d{3})+$)/g, ',');

/** A count with its unit, for people: `1 step`, `1,200 tokens`, `2 retries`. */
export const amount = (count: number, unit: string, units = `${unit}s`): string =>
  `${grouped(count)} ${count === 1 ? unit : units}`;

/** How many of the unit that costs are counted in make a dollar. */
export const NANO_USD_PER_USD = 1e9;
const SMALLEST_USD = 0.0001;

/** Billionths of a US dollar for people: `$0.0123`, `$1.50`; what is too little to show is `<$0.0001`. */
export function formatMoney(nanoUsd: number): string {
  const usd = nanoUsd / NANO_USD_PER_USD;
  if (usd > 0 && usd < SMALLEST_USD) return `<$${SMALLEST_USD}`;
  return `$${usd.toFixed(usd === 0 || usd >= 1 ? 2 : 4)}`;
}
