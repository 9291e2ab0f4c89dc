import type { ToolCall } from '../../machines/events.ts';
import type { GivenPermission } from '../../machines/permissions.ts';
import { oneLine } from '../text/one-line.ts';

const MAX_ALLOWS_CHARS = 400;
const MAX_TEXT_CHARS = 6_000;
const MAX_NAME_CHARS = 100;
/** The arguments that say what a call is about, the first of them that it has. */
const MAIN = ['command', 'path', 'paths', 'url', 'title'] as const;

/**
 * A call for people: in one line, and below that the arguments that this line does not say.
 *
 * @example
 * callInWords({ tool: 'shell', arguments: { command: 'npm publish' } }).allows; // 'shell: npm publish'
 */
export function callInWords({ tool, arguments: given }: Pick<ToolCall, 'tool' | 'arguments'>): {
  readonly allows: string;
  readonly text: string;
} {
  const all = Object(given) as { readonly [name: string]: unknown };
  const main = MAIN.find((name) => wordsOf(all[name]) !== null);
  const { [main ?? '']: value, ...rest } = all;
  const whole = wordsOf(value) ?? '';
  const line = oneLine(whole, MAX_ALLOWS_CHARS);
  const isWhole = line === whole;
  const left = Object.keys(isWhole ? rest : all).length === 0 ? '' : JSON.stringify(isWhole ? rest : all, null, 2);
  return {
    allows: main === undefined ? tool : `${tool}: ${line}`,
    text: left.slice(0, MAX_TEXT_CHARS),
  };
}

/** A text, or the texts of a list. Null: it is neither. */
function wordsOf(value: unknown): string | null {
  if (typeof value === 'string') return value;
  return Array.isArray(value) && value.every((one) => typeof one === 'string') ? value.join(', ') : null;
}

/** The ruling of a person about a call. */
export const permissionWords = ({ granted, remembers, by }: Omit<GivenPermission, 'digest'>): string => {
  const who = by === undefined ? '' : ` by ${oneLine(by.name, MAX_NAME_CHARS)}`;
  if (!granted) return `denied${who}`;
  return remembers === undefined ? `allowed, once${who === '' ? '' : `,${who}`}` : `allowed for good${who}`;
};
