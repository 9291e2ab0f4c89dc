// Some programs that read files run others where they are told to: `find . -exec node {} +` reads nothing alone.

/** Subcommands of git that change nothing, and run nothing that a fresh checkout could have told them to. */
const READS_GIT: ReadonlySet<string> = new Set(
  `diff status log show ls-files grep rev-parse cat-file blame describe merge-base ls-tree`.split(' '),
);
/** What may stand before them: another option can name programs, by configuration. */
const OPTION_OF_GIT = /^(?:--no-pager|-P|--no-optional-locks|--literal-pathspecs)$/;
const RUNS_IN_GIT = /^(?:-O|--open-files|--ext-diff|--textconv|--output)/;

/** Arguments by which a program starts another one, loads code, or compiles what is to be run. */
const STARTS_WITH: ReadonlyMap<string, RegExp> = new Map([
  ['find', /^-(?:exec|execdir|ok|okdir|delete)$/],
  ['rg', /^--(?:pre|hostname-bin)(?:=|$)/],
  ['sort', /^--compress-program(?:=|$)/],
  ['rustc', /^(?:--test|-Clinker(?:=|$)|linker=)/],
  ['javac', /^-(?:processor|-processor|J)/],
  ['pylint', /^--(?:init-hook|load-plugins)(?:=|$)/],
  ['go', /^--?(?:toolexec|vettool|exec)(?:=|$)/],
  ...['gcc', 'g++', 'cc', 'c++', 'clang', 'clang++'].map((name) => [name, /^(?:-wrapper|-fplugin|-load|-B)/] as const),
]);

/**
 * Tells whether a program that otherwise reads runs something, by its arguments.
 *
 * @example
 * startsOthers('find', ['.', '-exec', 'node', '{}', '+']); // true
 */
export const startsOthers = (name: string, words: readonly string[]): boolean =>
  name === 'git' ? !readsGit(words) : words.some((word) => STARTS_WITH.get(name)?.test(word));

function readsGit(words: readonly string[]): boolean {
  const [first = '', ...rest] = words;
  if (OPTION_OF_GIT.test(first)) return readsGit(rest);
  if (first === '-C') return readsGit(rest.slice(1));
  return READS_GIT.has(first) && !rest.some((word) => RUNS_IN_GIT.test(word));
}
