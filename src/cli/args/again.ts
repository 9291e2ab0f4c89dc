import { head } from '../../text/excerpt.ts';
import { shellWords } from '../../text/shell-words.ts';
import { accessSync, constants, realpathSync } from 'node:fs';
import { basename, delimiter, join, relative, sep } from 'node:path';

/** What the command that starts this program again depends on. */
export interface Started {
  /** The program's file, as it was named. */
  readonly file: string;
  readonly execPath: string;
  readonly cwd: string;
  readonly env: { readonly [name: string]: string | undefined };
}

/**
 * The words that start this program again from where its user is, in the way it was started now.
 *
 * @example
 * invocation({ file: 'src/cli/main.ts', execPath: process.execPath, cwd: process.cwd(), env: process.env });
 * // ['node', 'src/cli/main.ts']
 */
export function invocation({ file, execPath, cwd, env }: Started): readonly string[] {
  const isByNpx = env['npm_command'] === 'exec' || file.includes(`node_modules${sep}.bin`);
  if (isByNpx) return ['npx', 'loopfold'];
  if (basename(file) === 'loopfold' || file.includes(`${sep}node_modules${sep}`)) return ['loopfold'];
  const from = userDirectory({ cwd, env });
  const node = nodeOf(env) === realpath(execPath) ? 'node' : nearer(execPath, from);
  return [node, nearer(file, from)];
}

/** The user's folder: npm runs its scripts elsewhere, and passes on the folder it was called in. */
const userDirectory = ({ cwd, env }: Pick<Started, 'cwd' | 'env'>): string =>
  env['npm_lifecycle_event'] === undefined ? cwd : (env['INIT_CWD'] ?? cwd);

/** The Node of the user's shell, without the folders that npm puts on the PATH for its scripts. */
function nodeOf({ PATH = '' }: Started['env']): string | null {
  const folders = PATH.split(delimiter).filter((folder) => !/node_modules|node-gyp-bin/.test(folder));
  const found = folders.map((folder) => join(folder, 'node')).find(isExecutable);
  return found === undefined ? null : realpath(found);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function realpath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** The shorter of a path and its relative form, unless that leads out by two folders or more. */
function nearer(path: string, from: string): string {
  const way = relative(from, path);
  return way.startsWith(`..${sep}..`) || way.length >= path.length ? path : way;
}

/** The words of a command that starts this program in the way it was started now. */
export const thisProgram = (): readonly string[] =>
  invocation({ file: process.argv[1] ?? 'loopfold', execPath: process.execPath, cwd: process.cwd(), env: process.env });

/** A command, for a user to paste, that continues with the same folder and log, unless it names its own log. */
export function again(
  words: readonly string[],
  { directory, log }: { readonly directory?: string; readonly log?: string } = {},
): string {
  const about = [
    ...(directory === undefined ? [] : ['-C', directory]),
    ...(log === undefined || words.includes('--log') ? [] : ['--log', log]),
  ];
  return shellWords([...thisProgram(), ...words, ...about]);
}

/** A longer word, such as a whole task, is cut where a command is repeated. */
const MAX_WORD_CHARS = 300;

/** A command, for a user to paste: what was typed, with more flags. */
export function withFlags(words: readonly string[], more: readonly string[]): string {
  const end = words.includes('--') ? words.indexOf('--') : words.length;
  const typed = words.map((word) => head(word, MAX_WORD_CHARS));
  return shellWords([...thisProgram(), ...typed.toSpliced(end, 0, ...more)]);
}
