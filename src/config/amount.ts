/** A count with its unit, for people: `1 step`, `1,200 tokens`. */
export const amount = (count: number, unit: string): string => `${count.toLocaleString('en-US')} ${unit}${count === 1 ? '' : 's'}`;
