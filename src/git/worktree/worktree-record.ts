import { constants, lstatSync, readFileSync } from 'node:fs';
import { readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { Remade } from '../../../machines/events.ts';
import { fileOf } from '../../log/log-files.ts';
import { inOwnFolder } from '../../log/own-folder.ts';
import { jsonIn } from '../../text/json-in.ts';
import { errorCode } from '../../text/error-code.ts';
import { placeAt, type WorktreePlace } from './worktree-place.ts';

/** A file of a run's worktree that is larger is no record. */
const MAX_RECORD_BYTES = 64 * 1024;
/** A pipe is not waited for, and no link is followed: it may lead to what never ends. */
const READING = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;

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
  /** The file at that path, see `fileOf`: another log may lie there later. Absent: it is not known. */
  storeFile: z.string().optional(),
  /** The process that made it, or that used it last. */
  by: Process,
  since: z.iso.datetime(),
  state: z.enum(['making', 'ready']),
  /** Paths that no capture has, from the top: links to the origin's dependencies. */
  leaveOut: z.array(z.string()),
  /** It is the worktree of an experiment of that run, for this candidate, beside the run's own. */
  experiment: z.string().optional(),
  /** From what it was made again, until the log of the run says so. */
  remade: Remade.optional(),
});
export type WorktreeRecord = z.infer<typeof WorktreeRecord>;

/** The members of a record that tell its log from a later one at the same path. */
export function storeFileOf(store: string): Pick<WorktreeRecord, 'storeFile'> {
  const storeFile = fileOf(store);
  return storeFile === undefined ? {} : { storeFile };
}

/**
 * Writes a record as a whole: readers see the old or the new one. Throws the error of the disk, and leaves no draft.
 */
export async function writeRecord({ record: path }: WorktreePlace, record: WorktreeRecord): Promise<void> {
  const draft = `${path}.draft`;
  try {
    // On the disk before it has its name: a power cut must not leave an empty record.
    await writeFile(draft, `${JSON.stringify(record, null, 2)}\n`, { flush: true });
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {});
    throw error;
  }
}

/** A record is there and cannot be read, so that it is not known what its worktree belongs to. */
class UnreadableRecordError extends Error {
  override readonly name = 'UnreadableRecordError';
  readonly path: string;

  constructor(path: string, reason: string, options?: ErrorOptions) {
    super(`${path} cannot be read: ${reason}`, options);
    this.path = path;
  }
}

/** Null where there is none. Throws an `UnreadableRecordError` where one is damaged, or of a newer version. */
export async function readRecord({ record: path }: WorktreePlace): Promise<WorktreeRecord | null> {
  const text = textOf(path);
  if (text === null) return null;
  if (text.length > MAX_RECORD_BYTES) throw new UnreadableRecordError(path, `it has over ${MAX_RECORD_BYTES} bytes`);
  const { data } = WorktreeRecord.safeParse(jsonIn(text));
  if (data === undefined) throw new UnreadableRecordError(path, 'it is no record of this version');
  return data;
}

/**
 * Each new run reads the records of all others. The question takes some microseconds, and many times that by way of
 * another thread.
 */
function textOf(path: string): string | null {
  try {
    return readFileSync(path, { encoding: 'utf8', flag: READING });
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw new UnreadableRecordError(path, error instanceof Error ? error.message : String(error), { cause: error });
  }
}

/** The same, where a record that cannot be read counts as none: the caller writes it again. */
export const readableRecord = (place: WorktreePlace): Promise<WorktreeRecord | null> =>
  readRecord(place).catch((error: unknown) => {
    if (error instanceof UnreadableRecordError) return null;
    throw error;
  });

export const removeRecord = ({ record }: WorktreePlace): Promise<void> => rm(record, { force: true });

/**
 * The places of all worktrees in a folder, by name, also where only a part of one is left. Throws an
 * `EnvironmentFault` where the folder cannot be read.
 */
export async function worktreePlaces(folder: string): Promise<readonly WorktreePlace[]> {
  const entries = await entriesOf(folder);
  const names = new Set(
    entries.map((entry) => entry.replace(/\.(json|json\.draft|index|dependencies|origin|removed)$/, '')),
  );
  return [...names].toSorted().map((name) => placeAt(join(folder, name)));
}

const entriesOf = (folder: string): Promise<readonly string[]> =>
  inOwnFolder(folder, () =>
    readdir(folder).catch((error: unknown) => {
      if (errorCode(error) === 'ENOENT' && !isDangling(folder)) return [];
      throw error;
    }),
  );

const isDangling = (folder: string) => lstatSync(folder, { throwIfNoEntry: false }) !== undefined;
