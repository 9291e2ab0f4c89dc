import { relative } from 'node:path';
import { type Place, isWithin } from '../confine.ts';

/** What to put before paths found in a place, so that they can be given to other tools as they are. */
export function prefixOf(directory: string, { real }: Place): string {
  const path = isWithin(directory, real) ? relative(directory, real) : real;
  return path === '' || path.endsWith('/') ? path : `${path}/`;
}
