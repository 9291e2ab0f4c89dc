import picomatch from 'picomatch';
import { ToolRefusal } from '../refusal.ts';

/** Whether a path, relative to where the search begins, fits a glob. One without a slash is held against the name alone. */
export function namePattern(glob: string): (path: string) => boolean {
  if (glob.startsWith('/') || glob.split('/').includes('..')) {
    const why = 'patterns are relative to path, and lead nowhere else: give the folder as path';
    throw new ToolRefusal('pattern_invalid', `${glob}: ${why}`);
  }
  return picomatch(glob.replace(/^(\.\/)+/, ''), { dot: true, basename: true });
}
