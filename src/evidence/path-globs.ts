import picomatch from 'picomatch';

/** A dot in a pattern stands for any character: names of files may hold line ends. */
const EVERY_CHARACTER = 's';
const OPTIONS = { dot: true, nonegate: true };

/**
 * Whether a path fits one of these globs, which are from the top of the workspace, in any case of its letters. They are
 * compiled for the first path: most commands ask for none. One expression for all of them takes six tenths of the time
 * of one for each.
 */
export function fitsAny(globs: readonly string[]): (path: string) => boolean {
  const flags = `i${EVERY_CHARACTER}`;
  // A name may have characters that mean something in a glob.
  const names = new Set(globs);
  let fits: RegExp | null = null;
  return (path) => {
    if (globs.length === 0 || path === '') return false;
    fits ??= new RegExp(globs.map((glob) => picomatch.makeRe(glob, { ...OPTIONS, flags }).source).join('|'), flags);
    return names.has(path) || fits.test(path);
  };
}

/**
 * Whether a path fits the glob of a user: from the top of the workspace, or a name at any level where it has no slash.
 * A folder stands for all that is in it.
 *
 * @example
 * fitsGlob('checks')('packages/a/checks/run.mjs'); // true
 */
export function fitsGlob(glob: string): (path: string) => boolean {
  const bare = glob.replace(/^(\.\/)+/, '').replace(/\/+$/, '');
  const whole = bare.includes('/') ? bare : `**/${bare}`;
  const patterns = glob.endsWith('/') ? [`${whole}/**`] : [whole, `${whole}/**`];
  const fits = picomatch(patterns, { ...OPTIONS, flags: EVERY_CHARACTER });
  // A name may have characters that mean something in a glob, such as those of routes in brackets.
  return (path) => path === bare || path.startsWith(`${bare}/`) || fits(path);
}

/** Whether a text is a pattern, and not the name of one file. */
export const isGlob = (text: string): boolean => /[*?[\]{}]/.test(text);
