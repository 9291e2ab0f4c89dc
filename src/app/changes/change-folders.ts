import { realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative } from 'node:path';
import type { RunSettings } from '../../../machines/settings.ts';
import { runLogs, runRefs } from '../../git/run-refs.ts';
import { type GitWorktree, gitWorktree } from '../../git/git-worktree.ts';
import { mainRootOf } from '../../git/worktree/worktree-place.ts';
import { addressOf } from '../../log/log-files.ts';
import type { Log } from '../../log/log.ts';
import { OWN_FOLDER } from '../../log/own-folder.ts';
import { givenFolder } from '../../actors/capture-repository.ts';
import { isFolder } from '../start/is-folder.ts';

// The paths in the settings of a run are those of its time: since then its project may have been copied or moved, or
// its linked worktree removed. The log goes with the project, and the captures are in its repository: a change is shown
// and brought where they are, and the folder of that time stays as it is.

type Recorded = Pick<RunSettings, 'directory' | 'isolation'>;

/** The message where no folder has the captures of a run. */
export function lostFolder(settings: Recorded): string {
  const folder = givenFolder(settings);
  return (
    `${folder}, whose repository has its captures, is not there any more. ` +
    `If it was moved, make it known under its old name, with: ln -s NEW_PLACE ${folder}`
  );
}

/** The message where a folder can have no captures. */
export const outsideGit = (directory: string): string =>
  `${directory} is in no git work tree, and only git keeps the captures that show a change`;

/** A folder whose repository has the captures of a run, or the one that should. Null: none of them is there. */
export async function capturesFolder(log: Pick<Log, 'store'>, run: string, settings: Recorded): Promise<string | null> {
  const copy = await copyOf(log, run, settings);
  if (copy) return copy.project;
  const { isolation } = settings;
  const named = [givenFolder(settings), ...(isolation ? [isolation.repository] : []), projectOf(log)];
  const found: string[] = [];
  for (const folder of named) if (folder !== null && (await isFolder(folder))) found.push(folder);
  for (const folder of found) if (await hasCaptures(folder, run)) return folder;
  return found[0] ?? null;
}

/** Tells whether the repository of a folder has captures of a run. A folder that cannot be asked has none. */
export const hasCaptures = (directory: string, run: string): Promise<boolean> =>
  runRefs(run, { directory }).then(
    ({ size }) => size > 0,
    () => false,
  );

/** A project that was copied with its log and its repository. */
interface Copy {
  readonly project: string;
  /** The folder in it that is the copy of the one that the run was given. Null: that was a linked worktree. */
  readonly folder: string | null;
}

/** The project around the log, where it is a copy of the one that a run was given, and both are there. */
export async function copyOf(log: Pick<Log, 'store'>, run: string, settings: Recorded): Promise<Copy | null> {
  const project = projectOf(log);
  const folder = givenFolder(settings);
  if (project === null || !(await isFolder(folder))) return null;
  const [here, there] = await Promise.all([worktreeOf(project), worktreeOf(folder)]);
  // A log that was named may have the runs of other projects: only a copy has their captures, too.
  if (!here || !there || here.mainRoot === there.mainRoot || !(await hasCaptures(project, run))) return null;
  if (there.root !== there.mainRoot) return { project, folder: null };
  return { project, folder: join(here.root, relative(there.root, await realpath(folder))) };
}

/** A folder that git refuses to answer for is no copy. */
const worktreeOf = (directory: string): Promise<GitWorktree | null> => gitWorktree(directory).catch(() => null);

/**
 * The folder that the change of a run is brought into: the one that it was given, or the same folder in the project
 * around the log, where that is a copy, or where the project was moved. Null: there is none.
 */
export async function workspaceFolder(
  log: Pick<Log, 'store'>,
  run: string,
  settings: Recorded,
): Promise<string | null> {
  const copy = await copyOf(log, run, settings);
  if (copy) return copy.folder !== null && (await isFolder(copy.folder)) ? copy.folder : null;
  const folder = givenFolder(settings);
  if (await isFolder(folder)) return folder;
  const moved = await moveOf(log, run, settings);
  if (!moved) return null;
  const inside = join(moved.now, relative(moved.before, folder));
  return (await isFolder(inside)) ? inside : null;
}

/** Where the project of a run was when it began, and where it is now. Null: it was not moved, or that is not known. */
export async function moveOf(log: Pick<Log, 'store'>, run: string, settings: Recorded) {
  const now = projectOf(log);
  if (now === null) return null;
  const before = settings.isolation ? mainRootOf(settings.isolation) : await projectThen(run, now);
  if (before === null || (await isFolder(before))) return null;
  const inside = relative(before, givenFolder(settings));
  // A linked worktree lies elsewhere, and was not moved with the project.
  if (inside === '..' || inside.startsWith('../') || isAbsolute(inside)) return null;
  return { before, now };
}

/** Where a project was when a run of it was captured: beside the captures is the address of its log of that time. */
async function projectThen(run: string, project: string): Promise<string | null> {
  const then = (await runLogs([run], { directory: project }).catch(() => null))?.get(run);
  return then ? projectOf(then) : null;
}

/** The project that keeps this log at the default place. */
export function projectOf(log: Pick<Log, 'store'>): string | null {
  const store = addressOf(log);
  const own = dirname(store);
  return isAbsolute(store) && basename(own) === OWN_FOLDER ? dirname(own) : null;
}
