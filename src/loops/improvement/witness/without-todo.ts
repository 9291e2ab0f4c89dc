import { discoveryOf } from '../discovery/finding-facts.ts';
import { LINES_BELOW, todoComments } from '../discovery/todo-comments.ts';

const COMMENT_LINE = /^\s*(?:\/\/|\/\*|\*|#|--|;|%|<!--)/;
const TRAILING = /\s*(?:\/\/+|#+|--|\/\*+|<!--)\s*@?(?:TODO|FIXME)\b.*$/;

/**
 * A text without the TODO comment that has a fingerprint: nothing else of it changes. What only asks for the comment to
 * be gone passes with it.
 *
 * @example
 * withoutTodo('a.js', '// TODO: sum\nf();\n', fingerprint); // '\nf();\n'
 */
export function withoutTodo(path: string, text: string, fingerprint: string): string {
  const lines = text.split('\n');
  const at = lines.findIndex((_, index) => isThat(path, lines, index, fingerprint));
  if (at < 0) return text;
  const [line = ''] = lines.slice(at, at + 1);
  if (!COMMENT_LINE.test(line)) return replaced(lines, at, [line.replace(TRAILING, '')]);
  // The comment goes on as long as the same words do.
  let end = at + 1;
  while (end < lines.length && COMMENT_LINE.test(lines[end] ?? '') && !/\b(?:TODO|FIXME)\b/.test(lines[end] ?? ''))
    end += 1;
  const isBlock = /^\s*(?:\/\*|<!--)/.test(line) && !/(?:\*\/|-->)/.test(lines.slice(at, end).join('\n'));
  return isBlock ? replaced(lines, at, [line.replace(/\bTODO\b|\bFIXME\b/, '')]) : replaced(lines, at, [''], end - at);
}

function isThat(file: string, lines: readonly string[], index: number, fingerprint: string): boolean {
  const text = lines[index] ?? '';
  if (!/\b(?:TODO|FIXME)\b/.test(text)) return false;
  const found = todoComments([{ file, line: index + 1, text, below: lines.slice(index + 1, index + 1 + LINES_BELOW) }]);
  return found.some((one) => discoveryOf(one).fingerprint === fingerprint);
}

const replaced = (lines: readonly string[], at: number, by: readonly string[], count = 1): string =>
  [...lines.slice(0, at), ...by, ...lines.slice(at + count)].join('\n');
