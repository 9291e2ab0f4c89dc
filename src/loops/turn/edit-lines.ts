import type { ToolCall } from '../../../machines/events.ts';
import type { Line } from '../../kernel/narration.ts';
import { amount } from '../../text/money.ts';
import { head } from '../../text/excerpt.ts';

/** Of one call. */
const MAX_LINES = 12;
const MAX_LINE_CHARS = 160;

interface Changed {
  readonly sign: '+' | '-';
  readonly text: string;
}

/** The lines that a call of a file tool takes out and puts in, the first of them. Empty for any other call. */
export function editLines({ tool, arguments: given }: Pick<ToolCall, 'tool' | 'arguments'>): readonly Line[] {
  const changed = changedBy(tool, given);
  const shown = changed.slice(0, MAX_LINES).map(({ sign, text }): Line => {
    const line = head(`${sign} ${text}`, MAX_LINE_CHARS);
    return { rest: ['      ', { text: line, tone: sign === '+' ? 'good' : 'error' }] };
  });
  const more = changed.length - shown.length;
  return more > 0 ? [...shown, { rest: [{ text: `      … ${amount(more, 'more line')}`, tone: 'quiet' }] }] : shown;
}

function changedBy(tool: string, given: ToolCall['arguments']): readonly Changed[] {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return [];
  const { content, edits } = given as { readonly content?: unknown; readonly edits?: unknown };
  switch (tool) {
    case 'write':
      return signed('+', linesOf(content));
    case 'edit':
      return replaced(given);
    case 'multi_edit':
      return Array.isArray(edits) ? edits.flatMap(replaced) : [];
    default:
      return [];
  }
}

/** Without the lines that both texts begin and end with. */
function replaced(edit: unknown): readonly Changed[] {
  const { oldText, newText } = Object(edit) as { readonly oldText?: unknown; readonly newText?: unknown };
  const [before, after] = [linesOf(oldText), linesOf(newText)];
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  return [
    ...signed('-', before.slice(start, before.length - end)),
    ...signed('+', after.slice(start, after.length - end)),
  ];
}

const signed = (sign: Changed['sign'], lines: readonly string[]): readonly Changed[] =>
  lines.map((text) => ({ sign, text }));

const linesOf = (text: unknown): readonly string[] =>
  typeof text === 'string' && text !== '' ? text.replace(/\n$/, '').split('\n') : [];
