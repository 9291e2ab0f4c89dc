import { nameOf } from '../../../evidence/workspace-paths.ts';
import { startedBy } from '../../../evidence/command-words.ts';
import { pythonModule } from '../../../evidence/reading-commands.ts';
import { scriptCalls } from '../../../evidence/script-calls.ts';

/** What a check complains of. */
export type ErrorKind = 'types' | 'lint';

const wordsOf = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

const COMPILERS = wordsOf(`
  tsc tsgo vue-tsc svelte-check flow mypy pyright basedpyright pyre gcc g++ cc c++ clang clang++ rustc
  javac py_compile`);
const LINTERS = wordsOf(`
  eslint oxlint oxfmt prettier biome standard xo stylelint markdownlint ruff flake8 black isort pylint rubocop gofmt
  golangci-lint staticcheck shellcheck shfmt yamllint rustfmt`);
/** Of programs that do both, the first argument says which. */
const BY_ARGUMENT: ReadonlyMap<string, ErrorKind> = new Map([
  ['cargo check', 'types'],
  ['cargo build', 'types'],
  ['cargo clippy', 'lint'],
  ['cargo fmt', 'lint'],
  ['go build', 'types'],
  ['go vet', 'lint'],
  ['go fmt', 'lint'],
  ['deno check', 'types'],
  ['deno lint', 'lint'],
  ['deno fmt', 'lint'],
]);
const NAMES: readonly (readonly [RegExp, ErrorKind])[] = [
  [/^(types?|typecheck|type-check|tsc|compile)\b/i, 'types'],
  [/^(lint|eslint|style|format)\b/i, 'lint'],
];

/**
 * Whether a check compiles or lints: by the first program of its command that does either, then by the script that it
 * calls, then by its own name. Null: it does neither, so that lines with places in its output mean nothing here.
 *
 * @example
 * errorKind({ name: 'check', command: 'npx tsc --noEmit' }); // 'types'
 */
export function errorKind({ name, command }: { readonly name: string; readonly command: string }): ErrorKind | null {
  const programs = startedBy(command, '').map(({ words }) => words);
  const byProgram = programs.map(kindOfProgram).find((kind) => kind !== null);
  if (byProgram) return byProgram;
  const scripts = programs.flatMap((words) => scriptCalls(words).names);
  return [...scripts, name].map(kindOfName).find((kind) => kind !== null) ?? null;
}

function kindOfProgram(words: readonly string[]): ErrorKind | null {
  const program = pythonModule(words) ?? nameOf(words[0] ?? '');
  if (COMPILERS.has(program)) return 'types';
  if (LINTERS.has(program)) return 'lint';
  return BY_ARGUMENT.get(`${program} ${words[1] ?? ''}`) ?? null;
}

const kindOfName = (name: string): ErrorKind | null => NAMES.find(([pattern]) => pattern.test(name))?.[1] ?? null;
