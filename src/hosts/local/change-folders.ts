import { basename, dirname, isAbsolute, join, relative } from 'node:path';
import type { RunSettings } from '../../../machines/settings.ts';
import { runRefs } from '../../actors/workspace/run-refs.ts';
import { mainRootOf } from '../../actors/worktree-place.ts';
import { addressOf } from '../../log/log-files.ts';
import type { Log } from '../../log/log.ts';
import { OWN_FOLDER } from '../../log/own-folder.ts';
import { isFolder } from './is-folder.ts';

// The paths in the settings of a run are those of its time: since then its project may have been moved, or its linked
// worktree removed. The log moves with the project, and the captures are in its repository.

type Recorded = Pick<RunSettings, 'directory' | 'isolation'>;

/** The folder that a run was given, as it was named then. */
export const givenFolder = ({ isolation, directory }: Recorded): string => isolation?.origin ?? directory;

/** A folder whose repository has the captures of a run, or the one that should. Null: none of them is there. */
export async function capturesFolder(log: Pick<Log, 'store'>, run: string, settings: Recorded): Promise<string | null> {
  const { isolation } = settings;
  const named = [givenFolder(settings), ...(isolation ? [isolation.repository] : []), projectOf(log)];
  const found: string[] = [];
  for (const folder of named) if (folder !== null && (await isFolder(folder))) found.push(folder);
  for (const folder of found) if (await hasCaptures(folder, run)) return folder;
  return found[0] ?? null;
}

/** A folder that cannot be asked has none. */
const hasCaptures = (directory: string, run: string): Promise<boolean> =>
  runRefs(run, { directory }).then(
    ({ size }) => size > 0,
    () => false,
  );

/**
 * The folder that the change of a run is brought into: the one that it was given, or, where the project of an isolated
 * run was moved, the same folder in it. Null: it is not there any more.
 */
export async function workspaceFolder(log: Pick<Log, 'store'>, settings: Recorded): Promise<string | null> {
  const folder = givenFolder(settings);
  if (await isFolder(folder)) return folder;
  const project = projectOf(log);
  if (!settings.isolation || project === null) return null;
  const before = mainRootOf(settings.isolation);
  const inside = relative(before, folder);
  // A linked worktree lies elsewhere, and was not moved with the project.
  if (inside === '..' || inside.startsWith('../') || isAbsolute(inside) || (await isFolder(before))) return null;
  const moved = join(project, inside);
  return (await isFolder(moved)) ? moved : null;
}

/** The project that keeps this log at the default place. */
function projectOf(log: Pick<Log, 'store'>): string | null {
  const store = addressOf(log);
  const own = dirname(store);
  return isAbsolute(store) && basename(own) === OWN_FOLDER ? dirname(own) : null;
}
