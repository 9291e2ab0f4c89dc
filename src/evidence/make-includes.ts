import { MAKEFILES } from './steps/make-recipe.ts';
import { folderOf, joined, nameOf } from './workspace-paths.ts';

const NAMES: ReadonlySet<string> = new Set(MAKEFILES);
const INCLUDE = /^[-s]?include[ \t]+([^#\n]*)/gm;

/** Tells whether make reads a file of this name by itself, or where another one includes it. */
export const isMakefile = (path: string): boolean => NAMES.has(nameOf(path)) || path.endsWith('.mk');

/**
 * The files that a Makefile includes, from the top of the workspace, also those that are not there: with `-include`
 * make goes on without them, and the work could add one.
 *
 * @example
 * includedBy('Makefile', '-include local.conf\n'); // ['local.conf']
 */
export const includedBy = (path: string, text: string): readonly string[] =>
  [...text.matchAll(INCLUDE)].flatMap(([, names = '']) =>
    names
      .trim()
      .split(/\s+/)
      .flatMap((name) => (name === '' || name.includes('$') ? [] : (joined(folderOf(path), name) ?? []))),
  );
