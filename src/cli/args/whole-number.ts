import { usage } from '../pages/complaint.ts';

/** A flag's value as a number from 1 on. */
export function wholeNumber(flag: string, text: string): number {
  const number = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(number) && number > 0) return number;
  throw usage(flag, 'a whole number, 1 or more', `'${text}'`);
}
