import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import type { RunSettings } from '../../../machines/settings.ts';
import { logNamesAround } from '../../git/capture/log-names.ts';
import { CLEAN_TREE, hasCleanTree, withOwnFiles } from '../../config/clean-tree.ts';
import type { Log } from '../../log/log.ts';

/** Warns where a command has the name of a check that ships, which runs in its place. */
export async function shadowedChecks(
  settings: Pick<RunSettings, 'checks'>,
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

/** The checks of a run, for which the files of its log do not count as uncommitted work. */
export async function checksBesideLog(
  { log }: { readonly log: Pick<Log, 'store'> },
  settings: Pick<RunSettings, 'checks' | 'directory' | 'stateDirectory'>,
): Promise<RunSettings['checks']> {
  const { checks, directory, stateDirectory } = settings;
  if (!hasCleanTree(settings)) return checks;
  return withOwnFiles(checks, stateDirectory ?? null, await logNamesAround(directory, log.store));
}
