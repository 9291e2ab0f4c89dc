import { lstat, realpath } from 'node:fs/promises';
import type { RunSettings } from '../../../machines/settings.ts';
import { addressOf } from '../../log/log-files.ts';
import type { Log } from '../../log/log.ts';
import { readSettings } from '../../runtime/read-settings.ts';
import { copyOf, moveOf, projectOf } from '../changes/change-folders.ts';
import { givenFolder } from '../../actors/capture-repository.ts';
import { isFolder } from '../start/is-folder.ts';
import { EnvironmentError } from '../../actors/environment-error.ts';
import { openStore } from '../../log/open-store.ts';
import { defaultPlace } from '../store-place.ts';

/**
 * Throws an `EnvironmentError` where a run that is to work again would do so in a place that is not meant: a run works
 * under the paths that it has recorded, and its log may lie in a copy of that project, or in the project after a move.
 */
export async function assertRecordedPlace(log: Log, run: string): Promise<void> {
  const root = (await log.run(run))?.root;
  const settings = root === undefined ? null : await readSettings(log, root);
  if (root === undefined || !settings) return;
  const folder = givenFolder(settings);
  if (!(await isFolder(folder))) return settings.isolation ? undefined : missing(log, root, settings);
  const project = projectOf(log);
  if (project === null || !(await isCopied(log, root, settings))) return;
  throw new EnvironmentError(
    'copied_project',
    `run ${root} works in ${folder}, and ${project}, which has this log, is a copy of that project: nothing was ` +
      `started, because it would go on there. To let it go on there, name that folder: -C ${folder}. To go on in the ` +
      `copy, start a new run; diff, undo and apply bring the change of this one into the copy`,
  );
}

/** The log of the first project has the run, too, or the copy of its repository has the captures. */
async function isCopied(log: Log, run: string, settings: RunSettings): Promise<boolean> {
  if (await copyOf(log, run, settings)) return true;
  const path = (await defaultPlace(givenFolder(settings)).catch(() => null))?.path;
  if (!path || (await realpath(path).catch(() => path)) === (await realpath(addressOf(log)))) return false;
  const first = await openStore({ path }, 'read').catch(() => null);
  if (!first) return false;
  return first
    .run(run)
    .then(
      (record) => record !== null,
      () => false,
    )
    .finally(() => first.close());
}

/** A link to nothing is something, too. */
const isSomething = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );

async function missing(log: Log, run: string, settings: RunSettings): Promise<never> {
  const folder = givenFolder(settings);
  if (await isSomething(folder)) {
    throw new EnvironmentError(
      'no_directory',
      `${folder} is not a directory, and run ${run} works in it: move away what is there, and bring the folder back`,
    );
  }
  const { before, now } = (await moveOf(log, run, settings)) ?? { before: folder, now: 'NEW_PLACE' };
  throw new EnvironmentError(
    'no_directory',
    `${folder}, which run ${run} works in, is not there any more. If it was moved, make it known under its old name, ` +
      `then resume: ln -s ${now} ${before}`,
  );
}
