import { fitsGlob, isGlob } from '../path-globs.ts';
import { configurationOf, isReading, pythonModule, withoutLaunchers } from '../reading-commands.ts';
import { folderOf, joined, nameOf } from '../workspace-paths.ts';
import { endsWithOne, errorTexts } from './error-texts.ts';

/** The most files of one check that get an error, one after the other. */
export const MAX_PLANTED = 3;

const SCRIPTS = 'js mjs cjs jsx ts mts cts tsx';
const TEXTS = 'css scss less json md yml yaml toml';
const TEXT_ENDINGS = TEXTS.split(' ');
const PYTHON = 'py pyi';
const C = 'c cc cpp cxx h hh hpp hxx';

/** The languages of programs, by what names of their files end with. */
const ENDINGS: ReadonlyMap<string, readonly string[]> = new Map(
  (
    [
      ['tsc tsgo vue-tsc', 'ts mts cts tsx'],
      ['eslint oxlint standard xo flow deno', SCRIPTS],
      ['biome prettier oxfmt', `${SCRIPTS} ${TEXTS}`],
      ['node', 'js mjs cjs'],
      ['stylelint', 'css scss less'],
      ['markdownlint', 'md'],
      ['yamllint', 'yml yaml'],
      ['mypy pyright basedpyright ruff flake8 black isort pylint py_compile compileall', PYTHON],
      ['gcc cc clang', C],
      ['g++ c++ clang++', C.slice(2)],
      ['rustc rustfmt cargo', 'rs'],
      ['javac', 'java'],
      ['go gofmt staticcheck', 'go'],
      ['shellcheck shfmt bash sh', 'sh bash'],
      ['ruby', 'rb'],
      ['php', 'php'],
      ['jq', 'json'],
      ['yq', 'yml yaml'],
    ] as const
  ).flatMap(([names, endings]) => names.split(' ').map((name) => [name, endings.split(' ')] as const)),
);

/** Programs that run the first file they are given. */
const RUNNING = /^(?:(?:ba|da|z|k)?sh|node|deno|bun|tsx|python[\d.]*|ruby|php|perl)$/;

/** Files by which programs are told how to work: they do not report an error in them. */
const CONFIGURATION = /^(?:\..*|package\.json|.*lock\.(?:json|ya?ml)|tsconfig.*|jsconfig.*|.*config\.\w+|.*\.toml)$/;

/**
 * The files in which a reading command would find an error: those that it names, then those below the folders that it
 * names, and where it names neither, those in the languages of its program. Changed ones come first.
 *
 * @param of.words - The name and the arguments of the program, as the shell reads them.
 * @example
 * filesToPlantIn({ paths: ['a.ts', 'b.md'], words: ['tsc', '--noEmit'], changed: new Set() }); // ['a.ts']
 */
export function filesToPlantIn(of: {
  readonly paths: readonly string[];
  readonly words: readonly string[];
  readonly changed: ReadonlySet<string>;
}): readonly string[] {
  const words = withoutLaunchers(of.words);
  const program = pythonModule(words) ?? nameOf(words[0] ?? '');
  const own = isReading(words) ? [] : ownFiles(words);
  const paths = inOrder(of.paths.filter(isPlantable), of.changed).filter((path) => !own.includes(path));
  const endings = own.length > 1 ? undefined : ENDINGS.get(program);
  const known = endings ? paths.filter((path) => endsWithOne(path, endings)) : ofEachLanguage(paths);
  const configuration = configurationOf(words);
  const given = words.slice(1).filter((word) => !word.startsWith('-') && !configuration.includes(word));
  const named = new Set([...paths.filter(isNamed(given)), ...known.filter(isBelow([...given, ...configuration]))]);
  return [...(named.size > 0 ? named : known)].slice(0, MAX_PLANTED);
}

const isPlantable = (path: string): boolean => errorTexts(path).length > 0 && !CONFIGURATION.test(nameOf(path));

/** The files that a program is: itself, and what it is told to run. They do not report an error in them. */
function ownFiles([program = '', ...words]: readonly string[]): readonly string[] {
  const first = RUNNING.test(nameOf(program)) ? words.find((word) => !word.startsWith('-')) : undefined;
  return [program, ...(first === undefined ? [] : [first])].flatMap((word) => joined('', word) ?? []);
}

/** For a program of which no language is known: one file of each, code before texts, and then the others. */
function ofEachLanguage(paths: readonly string[]): readonly string[] {
  const isText = (path: string) => endsWithOne(path, TEXT_ENDINGS);
  const sorted = [...paths.filter((path) => !isText(path)), ...paths.filter(isText)];
  const firsts = [...Map.groupBy(sorted, errorTexts).values()].flatMap(([first]) => first ?? []);
  return [...new Set([...firsts, ...sorted])];
}

const inOrder = (paths: readonly string[], changed: ReadonlySet<string>): readonly string[] => [
  ...paths.filter((path) => changed.has(path)),
  ...paths.filter((path) => !changed.has(path)),
];

function isNamed(words: readonly string[]): (path: string) => boolean {
  const files = new Set(words.map((word) => joined('', word)));
  const globs = words.filter(isGlob).map((word) => fitsGlob(word));
  return (path) => files.has(path) || globs.some((fits) => fits(path));
}

/** The folder of a file of configuration counts, too. The top is no choice. */
function isBelow(words: readonly string[]): (path: string) => boolean {
  const named = words.flatMap((word) => joined('', word.replace(/\/?(?:\.\.\.|\*+)$/, '')) ?? []);
  const folders = named.flatMap((path) => (CONFIGURATION.test(nameOf(path)) ? folderOf(path) : path));
  return (path) => folders.some((folder) => folder !== '' && path.startsWith(`${folder}/`));
}
