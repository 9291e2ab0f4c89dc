import type { CodeSyntax } from './code-syntax.ts';
import type { CodeToken } from './code-tokens.ts';
import type { ControlMark } from './write-tests.ts';

const BASED = /^0[xXoObB][\da-fA-F_]*(?=[\da-fA-F])/;
const WHOLE = /^\d[\d_]*/;
/** From 1 on: for a zero, whatever its type. */
const MAX_DIGIT = 9;
const BASE_OF_LETTERS = 36;

/** Tells whether a token is a value that can be written in another way. */
export const isLiteral = ({ kind, text }: CodeToken, { words }: CodeSyntax): boolean =>
  kind === 'number' || kind === 'character' || isWholeString(kind, text) || wordsFor(words).includes(text);

/**
 * Another value of the same type. A number is no greater, so that it fits its type, and has no look of its own.
 *
 * @example
 * anotherValue({ kind: 'number', text: '30', from: 0, to: 2 }, JAVASCRIPT, [7, 8]); // '7'
 */
export function anotherValue({ kind, text }: CodeToken, { words }: CodeSyntax, [one]: ControlMark['numbers']): string {
  const more = one.toString(BASE_OF_LETTERS);
  if (kind === 'number') return anotherNumber(text, one);
  if (kind === 'character') return text.includes('q') ? text.replace('q', 'j') : text.replace(/'.*'/, "'q'");
  if (text === words.yes) return words.no;
  if (text === words.no) return words.yes;
  if (kind === 'word') return `'${more}'`;
  const end = /(?:"""|'''|["'`]#*)$/.exec(text)?.[0] ?? '';
  return `${text.slice(0, text.length - end.length)}${more}${end}`;
}

function anotherNumber(text: string, one: number): string {
  const based = BASED.exec(text)?.[0];
  if (based !== undefined) {
    const last = text[based.length];
    return `${based}${last === '0' ? '1' : '0'}${text.slice(based.length + 1)}`;
  }
  const whole = WHOLE.exec(text)?.[0] ?? '';
  const value = BigInt(whole.replaceAll('_', ''));
  const other = value === 0n ? BigInt(1 + (one % MAX_DIGIT)) : BigInt(one) % value;
  return `${other}${text.slice(whole.length)}`;
}

const wordsFor = ({ yes, no, none }: CodeSyntax['words']): readonly string[] =>
  none === null ? [yes, no] : [yes, no, none];

const isWholeString = (kind: CodeToken['kind'], text: string): boolean =>
  kind === 'string' && /^\w*#*(["'`])(?:[^]*)\1#*$/.test(text);
