import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import type { RunSettings } from '../../../machines/settings.ts';
import { CLEAN_TREE, hasCleanTree } from '../../config/clean-tree.ts';

/** Warns where a command has the name of a check that ships, which runs in its place. */
export async function shadowedChecks(
  settings: Pick<RunSettings, 'checks' | 'stateDirectory'>,
  path = process.env['PATH'] ?? '',
): Promise<readonly string[]> {
  if (!hasCleanTree(settings)) return [];
  const places = path.split(delimiter).filter((folder) => folder !== '');
  const found = await Promise.all(places.map((folder) => ifExecutable(join(folder, CLEAN_TREE))));
  const command = found.find((file) => file !== null);
  if (command === undefined) return [];
  const instead = `{"command": "${CLEAN_TREE}"}`;
  return [
    `The check ${CLEAN_TREE} is the one that ships; ${command} is not run. For that, write the check as ${instead}.`,
  ];
}

const ifExecutable = (file: string): Promise<string | null> =>
  access(file, constants.X_OK).then(
    () => file,
    () => null,
  );
