import { inspect } from 'node:util';
import type { ConfigFault } from './config-fault.ts';
import { head } from '../text/excerpt.ts';

export type { ConfigFault } from './config-fault.ts';

const SHOWN_CHARS = 80;

/**
 * A fault as one sentence.
 *
 * @example
 * faultSentence(faultAt('maxSteps', -1, 'a whole number'));
 * // 'maxSteps (--max-steps): expected a whole number, found -1'
 */
export function faultSentence({ field, flag, file, value, expected, suggestion }: ConfigFault): string {
  const where = `${file === undefined ? '' : `${file}: `}${field}${flag === null ? '' : ` (${flag})`}`;
  const shown = inspect(value, { depth: 1, breakLength: Infinity });
  const found = value === undefined ? 'nothing' : head(shown, SHOWN_CHARS);
  const hint = suggestion === null ? '' : `. Did you mean ${suggestion}?`;
  return `${where}: expected ${expected}, found ${found}${hint}`;
}
