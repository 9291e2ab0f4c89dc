import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The folder of the package that contains this file, built or not. Null when no parent folder has a package.json. */
export function packageFolder(folder = import.meta.dirname): string | null {
  if (existsSync(join(folder, 'package.json'))) return folder;
  return dirname(folder) === folder ? null : packageFolder(dirname(folder));
}

/** The version of that package. */
export function version(): string {
  const folder = packageFolder();
  return folder === null ? 'unknown' : JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).version;
}
