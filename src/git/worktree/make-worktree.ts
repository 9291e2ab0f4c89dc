import { appendFile, mkdir, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { thisProcess } from '../../log/holder.ts';
import { inOwnFolder, makeOwnFolder } from '../../log/own-folder.ts';
import type { Isolation } from '../../../machines/settings.ts';
import { type BeginningTrees, checkOutFiles } from './checkout-tree.ts';
import { checkOutEarly } from './early-checkout.ts';
import { giveDependencies } from './give-dependencies.ts';
import type { OriginRepository } from './origin-repository.ts';
import { detachAt, makeRepository } from './own-repository.ts';
import { removeWorktree } from './remove-worktree.ts';
import { together } from '../process/git-process.ts';
import { ownFolderOf, placeAt, type WorktreePlace, worktreesIn } from './worktree-place.ts';
import { storeFileOf, type WorktreeRecord, writeRecord } from './worktree-record.ts';

export interface WorktreeOrder {
  readonly run: string;
  /** The folder that the run was given, absolute. */
  readonly directory: string;
  readonly origin: OriginRepository;
  /** The log that will have the run. */
  readonly store: string;
  /** What to begin with, from a hash or by capturing the origin. */
  readonly trees: () => Promise<BeginningTrees>;
  /** A tree that those are likely to resemble: its files are written while they are found. Null: there is none. */
  readonly likely: string | null;
  /** Names or paths of folders of dependencies. */
  readonly dependencies: readonly string[];
  readonly place?: WorktreePlace;
  /** The candidate whose experiment works in it. Absent: the run itself does. */
  readonly experiment?: string;
  /** From what a worktree that was gone is made again. */
  readonly remade?: NonNullable<WorktreeRecord['remade']>;
}

export interface MadeWorktree {
  readonly directory: string;
  readonly isolation: Isolation;
  readonly warnings: readonly string[];
}

/**
 * Makes the worktree of a run, with its record first: whatever a crash leaves is named by it. If it cannot be made,
 * everything made so far is removed, and the reason thrown.
 */
export async function makeWorktree(order: WorktreeOrder): Promise<MadeWorktree> {
  const { run, directory, origin, store } = order;
  const place = order.place ?? placeAt(join(worktreesIn(origin.mainRoot), run));
  const record: WorktreeRecord = {
    run,
    origin: directory,
    repository: origin.common,
    store,
    ...storeFileOf(store),
    by: thisProcess(),
    since: new Date().toISOString(),
    state: 'making',
    leaveOut: [],
    ...(order.experiment === undefined ? {} : { experiment: order.experiment }),
    ...(order.remade ? { remade: order.remade } : {}),
  };
  const folder = worktreesIn(origin.mainRoot);
  await inOwnFolder(folder, async () => {
    makeOwnFolder(ownFolderOf(folder));
    await mkdir(folder, { recursive: true });
  });
  try {
    return await filled(place, record, order);
  } catch (cause) {
    const error = await orFullDisk(cause, folder);
    await removeWorktree(place);
    throw error;
  }
}

async function filled(place: WorktreePlace, record: WorktreeRecord, order: WorktreeOrder): Promise<MadeWorktree> {
  const { origin, directory } = order;
  const { top } = place;
  const begun = begin(place, record);
  const files = checkedOut(place, order, begun);
  const [base, { dependencies, warnings }] = await together([
    files,
    begun.then(() => giveDependencies(place, origin.root, order.dependencies, files)),
  ]);
  const leaveOut = dependencies.flatMap(({ path, by }) => (by === 'link' ? [path] : []));
  // A pattern for a folder matches no link to one.
  await appendFile(join(top, '.git/info/exclude'), leaveOut.map((path) => `/${path}\n`).join(''));
  const inside = join(top, origin.prefix).replace(/\/$/, '');
  await mkdir(inside, { recursive: true });
  await writeRecord(place, { ...record, state: 'ready', leaveOut });
  return {
    directory: inside,
    isolation: {
      kind: 'worktree',
      origin: directory,
      top,
      repository: origin.common,
      base,
      dependencies: [...dependencies],
    },
    warnings,
  };
}

/** The record is on the disk before there is anything to be named by it. */
function begin(place: WorktreePlace, record: WorktreeRecord): Promise<void> {
  return inOwnFolder(dirname(place.top), async () => {
    await writeRecord(place, record);
    await mkdir(place.top);
  });
}

/** The trees may take a while: nothing of them has to wait until the worktree is begun. */
async function checkedOut(
  { top, index }: WorktreePlace,
  { origin, trees, likely }: WorktreeOrder,
  begun: Promise<void>,
): Promise<string> {
  const made = begun.then(() => makeRepository(top, origin));
  const writing = made.then(() => (likely === null ? null : checkOutEarly(top, likely)));
  const [early, beginning] = await together([writing, trees()]);
  await detachAt(top, beginning.committed, origin);
  await checkOutFiles(top, beginning, origin, index, early);
  return beginning.files;
}

/** With less space than this left, a file that could not be written was too large for the disk. */
const FULL_BELOW_BYTES = 1024 * 1024;

/**
 * The same error, or one with the code `ENOSPC`: git says that it cannot write a file, and not why. To be asked before
 * anything is removed.
 */
async function orFullDisk(cause: unknown, folder: string): Promise<unknown> {
  if ((await bytesLeft(folder)) >= FULL_BELOW_BYTES || !(cause instanceof Error)) return cause;
  return Object.assign(new Error(`No space left on the disk of ${folder}: ${cause.message}`), { code: 'ENOSPC' });
}

async function bytesLeft(folder: string): Promise<number> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  } catch {
    return Infinity;
  }
}
