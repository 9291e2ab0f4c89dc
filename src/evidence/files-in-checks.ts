import { type StartedProgram, startedBy } from './command-words.ts';
import { objectIn } from './key-grounds.ts';
import { packageAbove, scriptIn } from './package-manifest.ts';
import { fitsAny, isGlob } from './path-globs.ts';
import { configurationOf, isLinting, pythonModule } from './reading-commands.ts';
import { scriptCalls } from './script-calls.ts';
import { fileMeant, folderOf, joined } from './workspace-paths.ts';

/** A check, as far as files are named in it. */
export interface NamingCheck {
  readonly name: string;
  readonly command: string;
  /** A person has said that it only reads. */
  readonly reads?: boolean | undefined;
}

export interface NamedInChecks {
  /** The check that names a file. */
  readonly files: ReadonlyMap<string, string>;
  /** The checks that only read what they look at, and run none of it. */
  readonly reading: ReadonlySet<string>;
  /** The words of the program by which each of them reads: of several the one that compiles or lints. */
  readonly readers: ReadonlyMap<string, readonly string[]>;
  /** The checks that compile or lint: what they read can silence them. */
  readonly linting: ReadonlySet<string>;
  /** What the checks call, and where the files that it names are not looked for. */
  readonly unseen: readonly string[];
}

export interface Naming {
  readonly checks: readonly NamingCheck[];
  /** The folder that checks run in, from the top of the workspace. */
  readonly folder: string;
  readonly paths: ReadonlySet<string>;
  /** The text of each `package.json` that can be read, by its path. */
  readonly packages: ReadonlyMap<string, string>;
}

/**
 * The files that checks run, or are told to go by, also through the `scripts` of a `package.json`. Files that a check
 * only reads are the work that it looks at; a file that does not exist is one that the work has yet to make.
 */
export function namedInChecks(naming: Naming): NamedInChecks {
  const files = new Map<string, string>();
  const unseen = new Set<string>();
  const reading = new Set<string>();
  const readers = new Map<string, readonly string[]>();
  const linting = new Set<string>();
  for (const { name, command, reads = false } of naming.checks) {
    const { programs, calling, elsewhere } = followed(command, naming);
    const isRead = reads || (elsewhere.length === 0 && programs.every((one) => one.isReading || calling.has(one)));
    if (isRead) {
      const own = programs.filter((one) => !calling.has(one)).map(({ words }) => words);
      reading.add(name);
      readers.set(name, own.find(isLinting) ?? own[0] ?? []);
    }
    if (programs.some(({ words }) => isLinting(words))) linting.add(name);
    for (const path of programs.flatMap((program) => filesOf(program, naming.paths))) {
      if (!files.has(path)) files.set(path, name);
    }
    for (const words of elsewhere) unseen.add(words);
  }
  return { files, reading, readers, linting, unseen: [...unseen] };
}

interface Following {
  readonly folder: string;
  readonly paths: { readonly has: (path: string) => boolean };
  readonly packages: { readonly get: (path: string) => string | undefined };
}

/** All programs that a command starts, those of scripts too. */
export function followed(command: string, { folder, paths, packages }: Following) {
  const programs = [...startedBy(command, folder)];
  const elsewhere: string[] = [];
  /** Those that start what a script says, which is looked at in their place. */
  const calling = new Set<StartedProgram>();
  const seen = new Set<string>();
  // Programs of scripts are added while the list is walked.
  for (const program of programs) {
    const { words, folder: from } = program;
    const { names, isElsewhere } = scriptCalls(words);
    if (isElsewhere) elsewhere.push(words.join(' '));
    const file = names.length === 0 ? null : packageAbove(from, paths);
    if (file === null) continue;
    for (const script of names.flatMap((name) => [`pre${name}`, name, `post${name}`])) {
      const text = scriptIn(objectIn(packages.get(file) ?? ''), script);
      if (text !== null) calling.add(program);
      if (text === null || seen.has(`${file} ${script}`)) continue;
      seen.add(`${file} ${script}`);
      programs.push(...startedBy(text, folderOf(file)));
    }
  }
  return { programs, calling, elsewhere };
}

function filesOf({ folder, words, given, isReading }: StartedProgram, paths: ReadonlySet<string>): readonly string[] {
  const named = isReading ? configurationOf(words) : [...words.flatMap(withValue), ...moduleFiles(words), ...given];
  return named.flatMap((text) => {
    const path = joined(folder, text);
    if (path === null || path === '') return [];
    const file = text.includes('/') ? fileMeant(path, paths) : path;
    if (file !== null && paths.has(file)) return [file];
    return isGlob(text) && !isReading ? [...paths].filter(fitsAny([path])) : [];
  });
}

/** `--require=./setup.js` names what follows the sign. */
const withValue = (word: string): readonly string[] => [word, ...word.split('=').slice(1)];

function moduleFiles(words: readonly string[]): readonly string[] {
  const module = pythonModule(words)?.replaceAll('.', '/');
  return module === undefined ? [] : [`${module}.py`, `${module}/__main__.py`];
}
