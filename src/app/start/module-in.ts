import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';

const MODULE = /\.loop\.[cm]?[jt]s$/;

/**
 * The module in a folder that is named as modules of loops are: the one with the folder's name, else the first. Null:
 * none.
 */
export async function moduleIn(folder: string): Promise<string | null> {
  const modules = (await readdir(folder).catch(() => [])).filter((file) => MODULE.test(file)).toSorted();
  const found = modules.find((file) => file.replace(MODULE, '') === basename(folder)) ?? modules[0];
  return found === undefined ? null : join(folder, found);
}
