import { readFileSync, statSync } from 'node:fs';
import { isAbsolute, relative, resolve } from 'node:path';
import type { SessionUpdate, ToolCallContent, ToolKind } from '@agentclientprotocol/sdk';
import type { ToolCall } from '../../../machines/events.ts';
import { isObject, textIn } from '../../agents/json-object.ts';
import type { Json } from '../../log/envelope.ts';
import { plain } from '../../projections/phrases.ts';
import { excerptOfLines } from '../../text/excerpt.ts';
import { oneLine } from '../../text/one-line.ts';

const MAX_TITLE_CHARS = 200;
const MAX_OUTPUT_CHARS = 8_000;
/** A larger file is shown as it becomes, without what it was. */
const MAX_OLD_BYTES = 1_024 * 1_024;
const MAX_NEW_CHARS = 1_024 * 1_024;

const KINDS: Readonly<Record<string, ToolKind>> = {
  read: 'read',
  list: 'read',
  glob: 'search',
  grep: 'search',
  edit: 'edit',
  multi_edit: 'edit',
  write: 'edit',
  shell: 'execute',
  delegate: 'think',
  finish: 'other',
};

/** A call as an editor shows it. `id`: unique in the session. `directory`: the folder that its paths are from. */
export function callUpdate(id: string, { tool, arguments: given }: ToolCall, directory: string): SessionUpdate {
  const path = pathIn(given);
  const [first = ''] = isObject(given)
    ? [given['command'], path, given['pattern'], given['prompt']].flatMap(textOr)
    : [];
  return {
    sessionUpdate: 'tool_call',
    toolCallId: id,
    title: oneLine(first === '' ? tool : `${tool} ${first}`, MAX_TITLE_CHARS),
    kind: KINDS[tool] ?? 'other',
    status: 'in_progress',
    ...(path === null ? {} : { locations: [{ path: resolve(directory, path) }] }),
  };
}

/** The end of a call. `diff`: the change that it has made to a file. */
export function endedCallUpdate(
  id: string,
  status: 'completed' | 'failed',
  output: string,
  diff: readonly ToolCallContent[] = [],
): SessionUpdate {
  const text = plain(excerptOfLines(output, MAX_OUTPUT_CHARS));
  const said: ToolCallContent[] = text.trim() === '' ? [] : [{ type: 'content', content: { type: 'text', text } }];
  const content = status === 'completed' && diff.length > 0 ? [...diff] : said;
  return { sessionUpdate: 'tool_call_update', toolCallId: id, status, content };
}

/**
 * The change of a file that a call asks for, as an editor shows it: read before the call begins, shown once it has
 * succeeded. Empty for calls that change none. `isPast`: the file has changed since, and is not read.
 */
export function diffOf({ tool, arguments: given }: ToolCall, directory: string, isPast: boolean): ToolCallContent[] {
  const path = pathIn(given);
  if (path === null || !isObject(given)) return [];
  const at = resolve(directory, path);
  const changed = (oldText: string | null, newText: string): ToolCallContent => ({
    type: 'diff',
    path: at,
    oldText,
    newText: newText.slice(0, MAX_NEW_CHARS),
  });
  switch (tool) {
    case 'write':
      return [changed(isPast ? null : textOf(at, directory), textIn(given['content']))];
    case 'edit':
      return [changed(textIn(given['oldText']), textIn(given['newText']))];
    case 'multi_edit':
      return (Array.isArray(given['edits']) ? given['edits'] : []).flatMap((edit) =>
        isObject(edit) ? [changed(textIn(edit['oldText']), textIn(edit['newText']))] : [],
      );
    default:
      return [];
  }
}

const pathIn = (given: Json): string | null =>
  isObject(given) && typeof given['path'] === 'string' && given['path'] !== '' ? given['path'] : null;

const textOr = (value: unknown): string[] => (typeof value === 'string' && value !== '' ? [value] : []);

/** The text of a file before it is written: read at once, because the call begins right after. Null: there is none. */
function textOf(path: string, directory: string): string | null {
  const way = relative(directory, path);
  if (isAbsolute(way) || way === '..' || way.startsWith('../')) return null;
  try {
    const stats = statSync(path);
    return stats.isFile() && stats.size <= MAX_OLD_BYTES ? readFileSync(path, 'utf8') : null;
  } catch {
    return null;
  }
}
