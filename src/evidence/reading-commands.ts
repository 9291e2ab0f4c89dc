import { startsOthers } from './command-runners.ts';
import { nameOf } from './workspace-paths.ts';

// A check that reads files looks at the work: `grep -q done notes.txt`, `tsc src/a.ts`. One that runs files rests on
// them: `node checks/all.mjs`. Only the second kind makes the files that it names grounds.

const wordsOf = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Compilers and linters: of the programs that read the files they are given, and run none of them. */
const LINTERS = wordsOf(`
  tsc tsgo vue-tsc tsd flow eslint oxlint oxfmt prettier biome standard xo stylelint markdownlint
  mypy pyright basedpyright ruff flake8 black isort pylint py_compile compileall
  gcc g++ cc c++ clang clang++ rustc rustfmt javac gofmt staticcheck shellcheck shfmt yamllint`);
const READERS: ReadonlySet<string> = new Set([
  ...LINTERS,
  ...wordsOf(`
  test [ [[ true false echo printf rm mkdir touch git
  cat head tail cut sort uniq tr wc ls stat find file du grep egrep fgrep rg jq yq sha256sum md5sum`),
]);

/** Programs that only read when one of these words is among their arguments. */
const READS_WITH: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['node', wordsOf('--check -c')],
  ['deno', wordsOf('check lint fmt')],
  ['go', wordsOf('build vet fmt')],
  ['cargo', wordsOf('build check clippy fmt')],
  ['bash', wordsOf('-n')],
  ['sh', wordsOf('-n')],
  ['php', wordsOf('-l')],
  ['ruby', wordsOf('-c')],
]);

const LINTS_WITH = wordsOf('deno go cargo');

/** Programs that start another one, which is named after their options. */
const LAUNCHERS = wordsOf('npx bunx pnpx env exec command time timeout nice nohup cross-env xargs sudo');
const LAUNCHERS_OF_TWO = wordsOf(
  'npm/exec pnpm/exec pnpm/dlx yarn/exec yarn/dlx bun/x uv/run poetry/run pipenv/run hatch/run bundle/exec',
);

/**
 * The words of a command without the programs that only start it.
 *
 * @example
 * withoutLaunchers(['npx', '--no', 'tsc', '-p', '.']); // ['tsc', '-p', '.']
 */
export function withoutLaunchers(words: readonly string[]): readonly string[] {
  let at = 0;
  for (let length = launcherAt(words, at); length > 0; length = launcherAt(words, at)) {
    at += length;
    while (at < words.length && isOption(words[at] ?? '')) at += 1;
  }
  return asProgram(words.slice(at));
}

const INSTALLED = /(?:^|\/)node_modules\/.*?([^/]+?)\.[cm]?js$/;

/** An installed compiler or linter that is started as a script: `node node_modules/typescript/lib/tsc.js`. */
function asProgram(words: readonly string[]): readonly string[] {
  const [, name = ''] = nameOf(words[0] ?? '') === 'node' ? (INSTALLED.exec(words[1] ?? '') ?? []) : [];
  return LINTERS.has(name) ? [name, ...words.slice(2)] : words;
}

/** How many words name a program there that starts another one. 0: none does. */
function launcherAt(words: readonly string[], at: number): number {
  const name = nameOf(words[at] ?? '');
  if (LAUNCHERS_OF_TWO.has(`${name}/${words[at + 1] ?? ''}`)) return 2;
  return LAUNCHERS.has(name) ? 1 : 0;
}

/** Options, assignments, and the time of `timeout`. */
const isOption = (word: string) => word.startsWith('-') || /^\w+=/.test(word) || /^\d+[smhd]?$/.test(word);

/** The module that Python is told to run. Null: another command. */
export function pythonModule([program = '', ...words]: readonly string[]): string | null {
  if (!/^python[\d.]*$/.test(nameOf(program))) return null;
  const at = words.indexOf('-m');
  return at < 0 ? null : (words[at + 1] ?? null);
}

/** Whether a command, without its launchers, compiles or lints: comments in its files can silence it. */
export function isLinting(words: readonly string[]): boolean {
  const [program = '', ...rest] = words;
  const name = pythonModule(words) ?? nameOf(program);
  return LINTERS.has(name) || (LINTS_WITH.has(name) && rest.some((word) => READS_WITH.get(name)?.has(word)));
}

/** Compilers of these write files that a later check may need, unless they are told not to. */
const COMPILERS = wordsOf(
  'tsc tsgo vue-tsc py_compile compileall gcc g++ cc c++ clang clang++ rustc javac deno go cargo',
);

/** These rewrite what they read, unless they are told to say alone what they would change. */
const FORMATTERS = wordsOf('black isort oxfmt rustfmt');
const ONLY_SAYS = wordsOf('--check --check-only --diff --list-different -l -c');
const WRITES = /^(?:--(?:fix(?!-dry)|write|apply|out|in-place|[\w-]*report\b)|-[wio]$)/;

/**
 * Tells whether a command that only reads leaves nothing behind that a later one could read.
 *
 * @example
 * leavesNothing(['eslint', '--fix', '.']); // false
 */
export function leavesNothing(words: readonly string[] = []): boolean {
  const name = pythonModule(words) ?? nameOf(words[0] ?? '');
  const isFormatting = FORMATTERS.has(name) || (name === 'ruff' && words.includes('format'));
  if (isFormatting && !words.some((word) => ONLY_SAYS.has(word))) return false;
  return (
    LINTERS.has(name) &&
    (!COMPILERS.has(name) || words.includes('--noEmit')) &&
    !words.some((word) => WRITES.test(word))
  );
}

/** Whether a command, without its launchers, only reads the files that it names. */
export function isReading(words: readonly string[]): boolean {
  const [program = '', ...rest] = words;
  if (isOfWorkspace(program)) return false;
  const name = pythonModule(words) ?? nameOf(program);
  if (startsOthers(name, rest)) return false;
  if (READERS.has(name)) return true;
  // What follows the first argument is for the program that runs.
  const first = rest.findIndex((word) => !word.startsWith('-'));
  const own = first < 0 ? rest : rest.slice(0, first + 1);
  return own.some((word) => READS_WITH.get(name)?.has(word));
}

const isOfWorkspace = (program: string) =>
  program.includes('/') && !program.startsWith('/') && !program.includes('node_modules/');

const LONG = wordsOf(`
  --config --config-file --config-path --project --file --from-file --require --import --loader --rcfile --settings
  --ignore-path --plugin --parser --rulesdir --format`);
const SHORT: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ...['tsc', 'tsgo', 'vue-tsc', 'pyright', 'basedpyright'].map((name) => [name, wordsOf('-p')] as const),
  ...['grep', 'egrep', 'fgrep', 'rg', 'jq'].map((name) => [name, wordsOf('-f')] as const),
  ...['eslint', 'oxlint', 'oxfmt'].map((name) => [name, wordsOf('-c -f')] as const),
  ['node', wordsOf('-r')],
]);

/** The values of the options by which a reading program is told how to read. */
export const configurationOf = (words: readonly string[]): readonly string[] =>
  words.flatMap((word, index) => {
    const [option = '', value] = word.split('=', 2);
    if (!LONG.has(option) && !SHORT.get(nameOf(words[0] ?? ''))?.has(option)) return [];
    return value === undefined ? (words[index + 1] ?? []) : value;
  });
