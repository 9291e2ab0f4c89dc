import type { StartedProgram } from './command-words.ts';
import { isGlob } from './path-globs.ts';
import { configurationOf } from './reading-commands.ts';
import { pathInside } from './workspace-paths.ts';

/** A place that a check names, as an absolute path. */
export interface NamedPlace {
  readonly path: string;
  /** It is written as a path: also where nothing is there yet, the check looks for it. */
  readonly isCertain: boolean;
}

interface Around {
  /** The top of the workspace. */
  readonly root: string;
  /** What `~` stands for. */
  readonly home: string;
}

/** Options that say where a program writes to. */
const WRITES_TO =
  /^(?:-o|--(?:out|output|junit|report|cache|coverage|log)[\w-]*|--[\w-]*-(?:destination|output))(?:=|$)/i;
/** An option and a path in one word, such as `-C../other`. */
const GLUED = /^-[A-Za-z](?=\.{0,2}\/)/;
const OF_HOME = /^(?:~|\$HOME|\$\{HOME\})(?=\/|$)/;
const OF_NET = /^(?:-[\w-]+=)?\w+:\/\//;
/** What only a shell knows. */
const NOT_KNOWN = /[$`]/;

/**
 * The places that programs of checks are started from, run, or are told to go by, in the workspace and outside of it.
 * The folders of the programs are absolute.
 *
 * @example
 * outsideNames([...startedBy('make -C ../other', '/code/here')], { root: '/code/here', home: '/ada' }); // /code/other
 */
export function outsideNames(programs: readonly StartedProgram[], around: Around): readonly NamedPlace[] {
  const found = new Map<string, NamedPlace>();
  for (const program of programs) {
    const isAway = !isIn(around.root, program.folder);
    if (isAway && !program.isReading) found.set(program.folder, { path: program.folder, isCertain: false });
    for (const text of textsOf(program)) {
      const isCertain = text.includes('/') || text.startsWith('..');
      const path = isCertain || isAway ? placeOf(text, program.folder, around) : null;
      if (path !== null && (isCertain || !found.has(path))) found.set(path, { path, isCertain });
    }
  }
  return [...found.values()];
}

/** Tells whether a path is a folder, or lies in it. */
export const isIn = (folder: string, path: string): boolean =>
  folder === '/' || path === folder || path.startsWith(`${folder}/`);

function textsOf({ words, given, isReading }: StartedProgram): readonly string[] {
  const [program = '', ...rest] = words;
  // A program that only reads a file looks at the work.
  if (isReading) return configurationOf(words);
  const read = rest.filter((word, at) => !WRITES_TO.test(word) && !WRITES_TO.test(rest[at - 1] ?? ''));
  const named = [...read, ...given]
    .filter((word) => !OF_NET.test(word))
    .flatMap((word) => word.replace(GLUED, '').split(/[=:]/));
  return [...(program.includes('/') ? [program] : []), ...named.filter((word) => word !== '' && !word.startsWith('-'))];
}

function placeOf(text: string, folder: string, { home }: Around): string | null {
  const written = text.replace(OF_HOME, home);
  if (NOT_KNOWN.test(written) || /^\/+$/.test(written)) return null;
  const parts = written.split('/');
  const glob = parts.findIndex(isGlob);
  // Of a pattern the folder that it begins with.
  return pathInside(glob < 0 ? written : [...parts.slice(0, glob), '.'].join('/'), folder, []);
}
