import { type Command, forEachChild, parse, type SyntaxNode } from 'unbash';
import { isReading, withoutLaunchers } from './reading-commands.ts';
import { wordsOf } from './shell-syntax.ts';
import { joined, nameOf, pathInside } from './workspace-paths.ts';

/** One program that a shell command starts. */
export interface StartedProgram {
  /** The folder it starts in: from the top of the workspace, or absolute where that of the command is. */
  readonly folder: string;
  /** Its name and arguments, without quotation marks and without the programs that only start it. */
  readonly words: readonly string[];
  /** Values of its variables, and files that it reads as its input. */
  readonly given: readonly string[];
  /** It, and all programs that it is piped to or from, only read the files that they name. */
  readonly isReading: boolean;
}

/** Programs whose arguments are commands again. */
const SHELLS: ReadonlySet<string> = new Set('sh bash dash zsh ksh eval concurrently start-server-and-test'.split(' '));
const MAX_NESTING = 4;
/** Parts of a command that are nested deeper are not looked at: a model may repeat itself. */
const MAX_DEPTH = 100;

/**
 * The programs that a shell command starts, as far as they can be told from its text.
 *
 * @example
 * startedBy('cd e2e && npx tsx run.ts', '')[0]; // { folder: 'e2e', words: ['tsx', 'run.ts'], … }
 */
export function startedBy(command: string, folder: string, nesting = 0): readonly StartedProgram[] {
  const found: StartedProgram[] = [];
  walk(parse(command), { folder, isReading: null, nesting }, found);
  return found;
}

interface Place {
  /** Changed by `cd`, for what follows in the same shell. */
  folder: string;
  /** Of the pipeline around. Null: there is no pipeline. */
  readonly isReading: boolean | null;
  readonly nesting: number;
}

function walk(node: SyntaxNode, place: Place, found: StartedProgram[], depth = 0): void {
  if (depth > MAX_DEPTH) return;
  switch (node.type) {
    case 'Command':
      found.push(...startedAt(node, place));
      return forEachChild(node, (child) => walk(child, { ...place, isReading: null }, found, depth + 1));
    case 'Pipeline': {
      const areReading = node.commands.every((one) => one.type === 'Command' && isReading(ownWords(one)));
      return forEachChild(node, (child) => walk(child, { ...place, isReading: areReading }, found, depth + 1));
    }
    case 'Subshell':
    case 'CommandExpansion':
    case 'ProcessSubstitution': {
      const inner = { ...place };
      return forEachChild(node, (child) => walk(child, inner, found, depth + 1));
    }
    default:
      return forEachChild(node, (child) => walk(child, place, found, depth + 1));
  }
}

const ownWords = (command: Command) => withoutLaunchers(wordsOf(command));

function startedAt(command: Command, place: Place): readonly StartedProgram[] {
  const words = ownWords(command);
  const [program = '', ...rest] = words;
  const { folder, nesting } = place;
  if (program === 'cd') {
    place.folder = entered(folder, rest[0] ?? '');
    return [];
  }
  const within = SHELLS.has(nameOf(program)) && nesting < MAX_NESTING ? rest.filter((word) => /\s/.test(word)) : [];
  const own = { folder, words, given: givenTo(command), isReading: place.isReading ?? isReading(words) };
  return [own, ...within.flatMap((text) => startedBy(text, folder, nesting + 1))];
}

/** Where the folder is an absolute path, an absolute path leads to another one. */
const entered = (folder: string, to: string): string =>
  folder.startsWith('/') && to.startsWith('/') ? pathInside(to, folder, []) : (joined(folder, to) ?? folder);

/** What is given to a command beside its arguments: by variables, by the program that starts it, and as its input. */
function givenTo(command: Command): readonly string[] {
  const { prefix, redirects } = command;
  const values = prefix.flatMap((one) =>
    one.type === 'Assignment' && one.value.type === 'Word' ? [one.value.value] : [],
  );
  const all = wordsOf(command);
  const launching = all.slice(0, all.length - ownWords(command).length);
  const inputs = redirects.flatMap((one) =>
    one.type === 'Redirect' && one.operator === '<' ? [one.target?.value] : [],
  );
  return [
    ...[...values, ...launching].flatMap((text) => text.split(/[\s=]+/)),
    ...inputs.filter((one) => one !== undefined),
  ];
}
