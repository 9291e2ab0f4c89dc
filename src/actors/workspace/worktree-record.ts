import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { placeAt, type WorktreePlace } from '../worktree-place.ts';

/** A file of a run's worktree that is larger is no record. */
const MAX_RECORD_BYTES = 64 * 1024;

const Process = z.strictObject({
  host: z.string(),
  pid: z.int(),
  processStart: z.string(),
  token: z.string(),
});

/**
 * What a worktree belongs to. It is written before anything else of the worktree, so that whatever a crash leaves is
 * named by a record.
 */
export const WorktreeRecord = z.strictObject({
  /** The run that works in it now: a continuation takes over the worktree of the run before. */
  run: z.string(),
  /** The folder that the run was given. */
  origin: z.string(),
  /** The git directory that its captures are kept in. */
  repository: z.string(),
  /** The log that has the run: the path of a file, or `memory:`. */
  store: z.string(),
  /** The process that made it, or that used it last. */
  by: Process,
  since: z.iso.datetime(),
  state: z.enum(['making', 'ready']),
  /** Paths that no capture has, from the top: links to the origin's dependencies. */
  leaveOut: z.array(z.string()),
});
export type WorktreeRecord = z.infer<typeof WorktreeRecord>;

/**
 * Writes a record as a whole: readers see the old or the new one. Throws the error of the disk, and leaves no draft.
 */
export async function writeRecord({ record: path }: WorktreePlace, record: WorktreeRecord): Promise<void> {
  const draft = `${path}.draft`;
  try {
    await writeFile(draft, `${JSON.stringify(record, null, 2)}\n`);
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {});
    throw error;
  }
}

/** Null where there is none that can be read. */
export async function readRecord({ record: path }: WorktreePlace): Promise<WorktreeRecord | null> {
  const text = await readFile(path, 'utf8').catch(() => null);
  if (text === null || text.length > MAX_RECORD_BYTES) return null;
  try {
    return WorktreeRecord.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

export const removeRecord = ({ record }: WorktreePlace): Promise<void> => rm(record, { force: true });

/** The places of all worktrees in a folder, with their records, by name. A damaged record is null. */
export async function recordedWorktrees(
  folder: string,
): Promise<readonly { readonly place: WorktreePlace; readonly record: WorktreeRecord | null }[]> {
  const entries = await readdir(folder).catch(() => []);
  const names = new Set(entries.map((entry) => entry.replace(/\.(json|json\.draft|index|dependencies)$/, '')));
  return Promise.all(
    [...names].toSorted().map(async (name) => {
      const place = placeAt(join(folder, name));
      return { place, record: await readRecord(place) };
    }),
  );
}
