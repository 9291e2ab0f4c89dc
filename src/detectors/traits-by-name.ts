import type { ToolCall } from '../../machines/events.ts';
import type { CommandTraits, ToolTraits } from './traits.ts';

type Arguments = ToolCall['arguments'];

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Names of arguments, as harnesses and servers have them. */
const COMMANDS = ['command', 'cmd', 'shell_command', 'script'];
const PATHS = ['path', 'file', 'file_path', 'filePath', 'filename', 'target_file', 'uri'];
const CONTENTS = words(`content contents file_text new_string new_str newText new_text newString replacement
  replace patch diff insert insert_text edits changes code_edit`);
const QUERIES = ['pattern', 'query', 'regex', 'q', 'search', 'search_term'];

/** Words in names of tools. */
const WRITE =
  words(`write edit create update delete remove move rename insert replace patch append save commit push send
  post publish todo set add put undo redo tick mark close reply comment label ack assign upload install apply`);
const READ = words(`read get list view open show fetch search find grep glob ls look describe query cat rg lookup`);
const WAIT = words('wait poll watch status progress pending');

const NOTHING =
  /^\s*$|^\[\]$|^\W*(?:no|0|zero) (?:line|match|matches|result|results|file|files|hit|hits|entries|items)\b|nothing (?:was )?found/i;
const STATUS = /(?:exit(?:ed)?(?: with)?[ _-]?(?:code|status)?["']?[:= ]+(?:code )?|status[:= ]+)(\d+)/i;
const END_CHARS = 200;

/**
 * Infers the traits of a tool that says nothing of itself from its name and from the arguments of a call: whether
 * it runs a command, changes a file, searches or waits. A server's name before it does not matter.
 *
 * @example
 * inferredTraits('mcp__files__write_file').writes; // true
 */
export function inferredTraits(name: string): ToolTraits {
  const named = wordsOf(name);
  const has = (list: ReadonlySet<string>) => named.some((word) => list.has(word));
  const changes = has(WRITE);
  return {
    command: COMMAND,
    writes: (given) => changes || isChange(given),
    reads: (given) => !changes && !isChange(given) && (has(READ) || isSearch(given) || isPath(given)),
    polling: () => !changes && has(WAIT) && !named.includes('git'),
    foundNothing: (output) => !changes && NOTHING.test(output),
  };
}

/** The words of a name: `mcp__github__listIssues` has `list` and `issues`. A server's own name is not among them. */
const wordsOf = (name: string): readonly string[] =>
  (name.split(/__|[./:]/).at(-1) ?? name)
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[\s_-]+/);

const textAt = (given: Arguments, names: Iterable<string>): string | null => {
  for (const name of names) {
    const value: unknown = Reflect.get(Object(given), name);
    if (typeof value === 'string') return value;
  }
  return null;
};

/** A command beside a path is an order to an editor. */
const commandIn = (given: Arguments): string | null => (isPath(given) ? null : textAt(given, COMMANDS));
const isPath = (given: Arguments): boolean => textAt(given, PATHS) !== null;
const isChange = (given: Arguments): boolean =>
  Object.keys(Object(given) as object).some((name) => CONTENTS.has(name)) && textAt(given, COMMANDS) === null;
const isSearch = (given: Arguments): boolean => textAt(given, QUERIES) !== null && commandIn(given) === null;

function statusIn(output: string): number {
  const [, status] = STATUS.exec(output.slice(-END_CHARS)) ?? STATUS.exec(output.slice(0, END_CHARS)) ?? [];
  return Number(status ?? 0);
}

const COMMAND: CommandTraits = { argument: commandIn, statusIn };
