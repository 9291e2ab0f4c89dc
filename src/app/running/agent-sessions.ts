import { createHash } from 'node:crypto';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunSettings } from '../../../machines/settings.ts';
import { sessionFoldersOf } from '../../agents/agent-needs.ts';
import { stateFolder } from '../../config/places.ts';
import { OWN_FOLDER_MODE } from '../../log/own-folder.ts';

/** Sessions of runs that never ended here are removed after that time. */
const KEPT_MS = 30 * 24 * 3_600_000;
const SHORT = 12;

/** A folder of ours that an agent finds at a place of its home. */
export interface KeptFolder {
  readonly folder: string;
  /** From the home. */
  readonly place: string;
}

type Working = Pick<RunSettings, 'directory' | 'model'> & Partial<Pick<RunSettings, 'parent'>>;

/**
 * Makes the folders in which an agent behind walls keeps its sessions, so that another process can continue them.
 * Attempts of one run share them where they work in the same folder. Empty where it has none, or none can be made.
 */
export async function keptSessions(run: string, { directory, model, parent }: Working): Promise<readonly KeptFolder[]> {
  const places = sessionFoldersOf(model);
  const top = topFolder();
  if (places.length === 0 || top === null) return [];
  const where = createHash('sha256').update(directory).digest('hex').slice(0, SHORT);
  const folders = places.map((place) => ({ folder: join(top, `${parent?.run ?? run}-${where}`, place), place }));
  try {
    await Promise.all(folders.map(({ folder }) => mkdir(folder, { recursive: true, mode: OWN_FOLDER_MODE })));
    return folders;
  } catch {
    return [];
  }
}

/** Removes those of a run that has ended, and those that were left long ago. */
export async function removeSessions(run: string): Promise<void> {
  const top = topFolder();
  const names = top === null ? [] : await readdir(top).catch((): string[] => []);
  for (const path of names.map((name) => join(top ?? '', name))) {
    const isOld = await stat(path).then(
      ({ mtimeMs }) => mtimeMs < Date.now() - KEPT_MS,
      () => false,
    );
    if (isOld || path.startsWith(join(top ?? '', `${run}-`))) await rm(path, { recursive: true, force: true });
  }
}

function topFolder(): string | null {
  const state = stateFolder(process.env);
  return state === null ? null : join(state, 'agent-sessions');
}
