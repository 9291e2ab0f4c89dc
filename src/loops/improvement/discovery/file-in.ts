/** Finds the file of the workspace that a tool means, whatever folder the tool ran in. Null: none. */
export type FileIn = (path: string) => string | null;

/**
 * Finds files among those of a workspace. An absolute path, of a checkout that is gone or of another machine, means the
 * file that has its end.
 *
 * @example
 * fileIn(['src/a.ts'])('/tmp/checkout-1/src/a.ts'); // 'src/a.ts'
 */
export function fileIn(files: Iterable<string>): FileIn {
  const known = new Set(files);
  return (path) => {
    const parts = path.replaceAll('\\', '/').replace(/^\.\//, '').split('/');
    // A file of the same name elsewhere is another one: a relative path means itself, or nothing.
    if (parts[0] !== '' && !/^[A-Za-z]:$/.test(parts[0] ?? ''))
      return known.has(parts.join('/')) ? parts.join('/') : null;
    for (let from = 1; from < parts.length; from += 1) {
      const end = parts.slice(from).join('/');
      if (known.has(end)) return end;
    }
    return null;
  };
}
