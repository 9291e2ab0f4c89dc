import type { Command, Redirection } from 'unbash';
import { withoutLaunchers } from '../evidence/reading-commands.ts';
import { partsOf, wordsOf } from '../evidence/shell-syntax.ts';
import { nameOf } from '../evidence/workspace-paths.ts';

const listed = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Programs that are there to change something: files, processes. */
const WRITERS = listed(
  'cp mv rm mkdir rmdir touch ln chmod chown install tee truncate dd rsync patch unzip tar kill pkill black isort',
);
/** Those that change something as their first word says. */
const WRITING_VERBS: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  [
    'git',
    listed('add rm mv commit checkout switch restore reset merge rebase apply am cherry-pick push pull clone init'),
  ],
  ...['npm', 'pnpm', 'yarn', 'bun', 'pip', 'pip3', 'apt', 'apt-get', 'brew', 'cargo', 'go', 'gem', 'uv'].map(
    (name) => [name, listed('install i ci add remove uninstall update upgrade link fmt get')] as const,
  ),
]);
/** Those that change something with one of these options. */
const WRITING_OPTION: ReadonlyMap<string, RegExp> = new Map([
  ['sed', /^-[a-zA-Z]*i|^--in-place/],
  ['perl', /^-[a-z]*i/],
  ['prettier', /^(--write|-w)$/],
  ['gofmt', /^-w$/],
  ['eslint', /^--fix$/],
  ['ruff', /^(--fix|format)$/],
  ['find', /^-delete$/],
]);
/** Programs that are there to fill a file where their output goes into one. That of others is only kept there. */
const PRINTERS = listed('cat echo printf');
const NOWHERE = listed('/dev/null /dev/stderr /dev/stdout /dev/tty');

/**
 * Tells whether a command is there to change something, as far as its text says: it starts a program for that, or
 * fills a file. What it prints when it has done so is alike each time. A file that only keeps the output of another
 * program, as in `npm test > log.txt`, changes nothing in what the command is for.
 *
 * @example
 * isWritingCommand("sed -i 's/a/b/' src/a.ts"); // true
 * isWritingCommand('grep -rn main src 2>/dev/null'); // false
 */
export const isWritingCommand = (command: string): boolean =>
  partsOf(command).some((part) => part.type === 'Command' && isWriter(part));

/** Tells whether a command writes what it prints into a file, as far as its text says. */
export const writesIntoFile = (command: string): boolean =>
  partsOf(command).some(
    (part) => (part.type === 'Redirected' || part.type === 'Command') && part.redirects.some(isIntoFile),
  );

function isWriter(command: Command): boolean {
  const [program = '', ...given] = withoutLaunchers(wordsOf(command));
  const name = nameOf(program);
  const verb = given.find((word, index) => !word.startsWith('-') && given[index - 1] !== '-C');
  const option = WRITING_OPTION.get(name);
  return (
    WRITERS.has(name) ||
    (verb !== undefined && WRITING_VERBS.get(name)?.has(verb) === true) ||
    (option !== undefined && given.some((word) => option.test(word))) ||
    (PRINTERS.has(name) && command.redirects.some(isIntoFile))
  );
}

const isIntoFile = (one: Redirection): boolean =>
  one.type === 'Redirect' &&
  ['>', '>>', '>|', '&>', '&>>'].includes(one.operator) &&
  !NOWHERE.has(one.target?.value ?? '');
