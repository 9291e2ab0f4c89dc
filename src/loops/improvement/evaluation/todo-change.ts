import type { Discovery } from '../../../../machines/improvement-facts.ts';
import { discoveryOf } from '../discovery/finding-facts.ts';
import { LINES_BELOW, todoComments } from '../discovery/todo-comments.ts';
import type { Resolved } from './resolve-by-checks.ts';

const COMMENT = /^\s*(?:\/\/|\/\*|\*|#(?!include|!|\[)|--\s|;|%|<!--|"""|''')/;

/** A changed file, as the head has it and as the candidate has it. Null: there is none, or it is no text. */
export interface ChangedText {
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
}

/**
 * Whether a TODO is gone, and something beside comments has changed: a comment that is only removed, reworded or moved
 * is not done.
 */
export function resolvedTodo({ fingerprint, file, title }: Discovery, changed: readonly ChangedText[]): Resolved {
  const own = changed.find(({ path }) => path === file);
  if (!own) return { isGone: false, detail: `still there: ${title}` };
  if (own.after !== null && fingerprintsIn(own.path, own.after).has(fingerprint))
    return { isGone: false, detail: `still there: ${title}` };
  const moved = changed.find((one) => one !== own && hasSameText(one, own, fingerprint));
  if (moved) return { isGone: false, detail: `moved to ${moved.path}: ${title}` };
  if (!changed.some(changesCode)) return { isGone: false, detail: `only comments have changed: ${title}` };
  return { isGone: true, detail: `gone: ${title}` };
}

function fingerprintsIn(path: string, text: string): ReadonlySet<string> {
  return new Set(todosIn(path, text).map((found) => discoveryOf(found).fingerprint));
}

function todosIn(file: string, text: string) {
  const lines = text.split('\n');
  return todoComments(
    lines.map((line, index) => ({
      file,
      line: index + 1,
      text: line,
      below: lines.slice(index + 1, index + 1 + LINES_BELOW),
    })),
  );
}

/** The same comment in another file, which had it not. */
function hasSameText({ path, before, after }: ChangedText, own: ChangedText, fingerprint: string): boolean {
  const asOwn = (text: string | null) => text !== null && fingerprintsIn(own.path, text).has(fingerprint);
  return path !== own.path && asOwn(after) && !asOwn(before);
}

/** Lines of code as they are sorted: what only moves within a file, or is a comment, is no change. */
function changesCode({ before, after }: ChangedText): boolean {
  const code = (text: string | null) =>
    (text ?? '')
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '' && !COMMENT.test(line))
      .map((line) => line.replace(/\s*(?:\/\/|#)\s*(?:TODO|FIXME)\b.*$/, ''))
      .toSorted()
      .join('\n');
  return code(before) !== code(after);
}
