import type { Json } from '../../machines/json.ts';
import { pathInside } from '../evidence/workspace-paths.ts';
import { type CommandWord, commandParts, programOf, textOf } from './command-parts.ts';

/** What a part of a call is there for. */
export type Purpose = 'read' | 'edit' | 'command' | 'talk' | 'other';

/** One thing that a call does. It may be done only if each of its parts may. */
export interface CallPart {
  /** The name of its tool, and of what it does: `write` is also an `edit`. */
  readonly names: readonly string[];
  readonly purpose: Purpose;
  /** The words of a command. */
  readonly words: readonly CommandWord[];
  /** Its paths: from the workspace, absolute where they lie elsewhere. */
  readonly paths: readonly string[];
  /** Words of a command that may be paths. */
  readonly mentions: readonly string[];
  readonly hosts: readonly string[];
  readonly arguments: Json;
  /** What it does is known only when it runs. */
  readonly isOpen: boolean;
  /** The part for people, and by which it is remembered. Null: it is remembered by the whole call. */
  readonly remembered: string | null;
}

/** A call of a tool: of ours, of a server, or of an agent of others. */
export interface Called {
  readonly tool: string;
  readonly arguments: Json;
}

/** What calls of known tools are there for. Those of agents are kinds of the Agent Client Protocol. */
const KNOWN: Readonly<Record<string, { readonly purpose: Purpose; readonly is?: string }>> = {
  read: { purpose: 'read' },
  list: { purpose: 'read', is: 'read' },
  glob: { purpose: 'read', is: 'read' },
  grep: { purpose: 'read', is: 'read' },
  search: { purpose: 'read', is: 'read' },
  edit: { purpose: 'edit' },
  multi_edit: { purpose: 'edit', is: 'edit' },
  write: { purpose: 'edit', is: 'edit' },
  delete: { purpose: 'edit', is: 'edit' },
  move: { purpose: 'edit', is: 'edit' },
  shell: { purpose: 'command' },
  finish: { purpose: 'talk' },
  ask_user: { purpose: 'talk' },
  request_read_access: { purpose: 'talk' },
  request_command_access: { purpose: 'talk' },
  delegate: { purpose: 'talk' },
  think: { purpose: 'talk' },
  fetch: { purpose: 'other' },
  switch_mode: { purpose: 'other' },
  other: { purpose: 'other' },
};

/** Names that say what a call is for, also where the tool itself has another one. */
export const KNOWN_PURPOSES: readonly string[] = Object.keys(KNOWN);

/** Commands that change nothing but the shell itself. */
const OF_SHELL: ReadonlySet<string> = new Set(['cd', 'pwd', 'true', 'false', ':', 'echo', 'printf', 'exit', 'wait']);
/** The names of arguments that hold paths. */
const PATH_NAME =
  /^(?:.*_)?(?:path|paths|file|files|filename|directory|folder|source|destination)$|[a-z](?:Paths?|Files?|Directory|Folder)$/;
const URL = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/?#@]*@)?(?<host>[^/?#:]+)/i;

/**
 * What a call does, part by part: each simple command of a command, each file that it writes to, or the call as it is.
 *
 * @example
 * callParts({ tool: 'shell', arguments: { command: 'npm test > out.txt' } }, '/here').length; // 2
 */
export function callParts({ tool, arguments: given }: Called, directory: string): readonly CallPart[] {
  const through = calledThrough(tool, given);
  if (through) return callParts(through, directory).map((part) => ({ ...part, names: [...part.names, tool] }));
  const { purpose = 'other', is } = Object.hasOwn(KNOWN, tool) ? (KNOWN[tool] ?? {}) : {};
  const command: unknown = purpose === 'command' ? Reflect.get(Object(given), 'command') : undefined;
  const placed = (path: string) => pathInside(path.replace(/^file:\/\//, ''), directory, [directory]);
  const texts = textsIn(given);
  const paths = texts.flatMap(([name, text]) => (PATH_NAME.test(name) ? [placed(text)] : []));
  if (typeof command === 'string') {
    const about = {
      ...NOTHING,
      names: [tool],
      purpose: 'read',
      paths,
      remembered: `${tool} ${paths.join(' ')}`,
    } as const;
    return [...partsOfCommand(command, tool, placed), ...(paths.length > 0 ? [about] : [])];
  }
  return [
    {
      ...NOTHING,
      names: [...new Set([tool, is ?? tool])],
      purpose,
      paths: purpose === 'read' && paths.length === 0 ? [''] : paths,
      hosts: texts.flatMap(([, text]) => hostIn(text)),
      arguments: given,
      isOpen: purpose === 'command',
      remembered: purpose === 'read' || purpose === 'edit' ? `${is ?? tool} ${paths.join(' ')}` : null,
    },
  ];
}

const NOTHING = { words: [], paths: [], mentions: [], hosts: [], arguments: null, isOpen: false, remembered: null };

/** A host that a call reaches, as a part of it. */
export const hostPart = (host: string, names: readonly string[], given: Json): CallPart => ({
  ...NOTHING,
  names,
  purpose: 'other',
  hosts: [host],
  arguments: given,
});

function partsOfCommand(command: string, tool: string, placed: (path: string) => string): readonly CallPart[] {
  const { commands, reads, writes, isOpen } = commandParts(command);
  const file = (purpose: 'read' | 'edit') => (target: CommandWord) => ({
    ...NOTHING,
    names: [tool, purpose],
    purpose,
    paths: [placed(target.text)],
    isOpen: !target.isFixed,
    remembered: target.isFixed ? `${purpose} ${placed(target.text)}` : null,
  });
  const simple = commands.map((words): CallPart => {
    const [program] = words;
    const isFixed = words.every((word) => word.isFixed);
    return {
      ...NOTHING,
      names: [tool],
      purpose: program && OF_SHELL.has(program.text) ? 'talk' : 'command',
      words,
      mentions: words.slice(1).flatMap(({ text }) => (text.startsWith('-') ? [] : [placed(text)])),
      hosts: words.flatMap(({ text }) => hostIn(text)),
      isOpen: program !== undefined && programOf(program) === '',
      remembered: isFixed ? `${tool} ${textOf(words)}` : null,
    };
  });
  const rest: CallPart[] = isOpen ? [{ ...NOTHING, names: [tool], purpose: 'command', isOpen: true }] : [];
  return [...simple, ...reads.map(file('read')), ...writes.map(file('edit')), ...rest];
}

/** The call of a server's tool that another tool passes on, where the server has too many to show each. */
function calledThrough(tool: string, given: Json): Called | null {
  if (tool !== 'call_tool') return null;
  const { tool: inner, arguments: passed = {} } = Object(given) as {
    readonly tool?: unknown;
    readonly arguments?: Json;
  };
  return typeof inner === 'string' && inner.includes('__') ? { tool: inner, arguments: passed } : null;
}

/** The texts in arguments, each with the name that it stands under. */
function textsIn(given: unknown, name = ''): readonly (readonly [name: string, text: string])[] {
  if (typeof given === 'string') return [[name, given]];
  if (Array.isArray(given)) return given.flatMap((one) => textsIn(one, name));
  if (typeof given !== 'object' || given === null) return [];
  return Object.entries(given).flatMap(([key, value]) => textsIn(value, key));
}

const hostIn = (text: string): readonly string[] => {
  const host = URL.exec(text)?.groups?.['host'];
  return host === undefined ? [] : [host.toLowerCase()];
};
