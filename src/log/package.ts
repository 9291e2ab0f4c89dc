import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The folder of the package that contains this file, built or not. Null when no parent folder has a package.json. */
export function packageFolder(folder = import.meta.dirname): string | null {
  if (existsSync(join(folder, 'package.json'))) return folder;
  return dirname(folder) === folder ? null : packageFolder(dirname(folder));
}
