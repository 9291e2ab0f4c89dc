import { basename } from 'node:path';
import picomatch from 'picomatch';
import { ToolRefusal } from '../confine.ts';

/** Whether a path, relative to where the search begins, fits a glob. One without a slash is held against the name. */
export function namePattern(glob: string): (path: string) => boolean {
  if (glob.startsWith('/') || glob.split('/').includes('..')) {
    const why = 'a pattern is relative to path and cannot leave it: give the folder as path';
    throw new ToolRefusal('pattern_invalid', `${glob}: ${why}`);
  }
  const fits = picomatch(glob.replace(/^(\.\/)+/, ''), { dot: true });
  return glob.includes('/') ? fits : (path) => fits(basename(path));
}
