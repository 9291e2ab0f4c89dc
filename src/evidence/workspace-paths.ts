// Paths from the top of a workspace, with `/` between names. The top itself is the empty path.

/** The folder that a path lies in. */
export const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

/** `a` and `a/b` of `a/b/c`. */
export function foldersOf(name: string): readonly string[] {
  const parts = name.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}

/** The last name of a path. */
export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** A path as it is written in a file of a folder, from the top. Null: it leads out, or is absolute. */
export function joined(folder: string, path: string): string | null {
  if (path.startsWith('/') || path.startsWith('~')) return null;
  const names: string[] = folder === '' ? [] : folder.split('/');
  for (const name of path.split('/')) {
    if (name === '' || name === '.') continue;
    if (name !== '..') names.push(name);
    else if (names.pop() === undefined) return null;
  }
  return names.join('/');
}

/** What Node adds to a name that has no ending. */
const ENDINGS = ['.js', '.mjs', '.cjs', '.ts', '.mts', '.cts', '.jsx', '.tsx', '.json', '/index.js', '/index.ts'];
/** TypeScript is imported under the name that it will be built as. */
const SOURCE_OF: readonly (readonly [built: RegExp, source: string])[] = [
  [/\.js$/, '.ts'],
  [/\.mjs$/, '.mts'],
  [/\.cjs$/, '.cts'],
  [/\.js$/, '.tsx'],
];

/** The file among these that a path means, also where it is written without its ending. Null: it means another. */
export function fileMeant(path: string, paths: ReadonlySet<string>): string | null {
  const sources = SOURCE_OF.filter(([built]) => built.test(path)).map(([built, source]) => path.replace(built, source));
  const candidates = [path, ...sources, ...ENDINGS.map((ending) => `${path}${ending}`)];
  return candidates.find((candidate) => paths.has(candidate)) ?? null;
}

/**
 * An absolute path, or one from a directory, from the first top that it lies in. As it is where it lies in none of
 * them.
 *
 * @example
 * pathInside('test/sum.js', '/here/lib', ['/here']); // 'lib/test/sum.js'
 */
export function pathInside(path: string, directory: string, tops: readonly string[]): string {
  const names: string[] = [];
  for (const name of (path.startsWith('/') ? path : `${directory}/${path}`).split('/')) {
    if (name === '..') names.pop();
    else if (name !== '' && name !== '.') names.push(name);
  }
  const absolute = `/${names.join('/')}`;
  const top = tops.find((folder) => absolute === folder || absolute.startsWith(`${folder}/`));
  return top === undefined ? absolute : absolute.slice(top.length + 1);
}
