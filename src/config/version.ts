import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The version of the package this file belongs to, built or not. */
export function version(folder = import.meta.dirname): string {
  try {
    return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).version;
  } catch {
    return dirname(folder) === folder ? 'unknown' : version(dirname(folder));
  }
}
