import type { Isolation } from '../../../machines/settings.ts';
import { removeWorktree } from '../../git/worktree/remove-worktree.ts';
import { isThere, mainRootOf, placeAt, type WorktreePlace } from '../../git/worktree/worktree-place.ts';
import { readableRecord, type WorktreeRecord, writeRecord } from '../../git/worktree/worktree-record.ts';
import { isKnownDead } from '../../log/holder.ts';
import type { Lease, LeaseStore } from '../../log/lease-store.ts';
import { addressOf } from '../../log/log-files.ts';
import { readSettings } from '../../runtime/read-settings.ts';
import { isFolder } from '../start/is-folder.ts';
import type { AppHost } from '../app-host.ts';
import { EnvironmentError, remedyFor } from '../../actors/environment-error.ts';
import { type MadeAgain, madeAgain } from './make-again.ts';
import { runRecord } from './run-record.ts';

/** A worktree that a run is about to work in again. */
export interface ReturnedTo extends Pick<MadeAgain, 'warnings'> {
  /** Null: it was not made again, or a log says so. */
  readonly remade: MadeAgain['remade'] | null;
  /** The run that works in it now: of a continuation, the new one. */
  readonly begun: (run: string) => Promise<void>;
  /** The run does not work again after all: what was made for it is removed. */
  readonly refused: () => Promise<void>;
}

const NOTHING: ReturnedTo = { warnings: [], remade: null, begun: async () => {}, refused: async () => {} };

/**
 * Sees to it that a run that is resumed or continued finds its worktree: where that is gone it is made again, from the
 * newest capture. `lease`: the one that the caller holds on it. Throws an `EnvironmentError` where it cannot be made.
 */
export async function returnToWorktree({ log }: Pick<AppHost, 'log'>, run: string, lease?: Lease): Promise<ReturnedTo> {
  const named = await log.run(run);
  const record = named && (await log.run(named.root));
  const isolation = record && (await readSettings(log, record.run))?.isolation;
  // Another process works in it, and refuses the run itself.
  if (!isolation || (await isHeldByOther(log, record.run, lease))) return NOTHING;
  const place = placeAt(isolation.top);
  await assertNotMoved(isolation);
  const known = await readableRecord(place);
  const current = runRecord(log, record.run, isolation);
  const begun = async (live: string) => {
    const { remade, ...rest } = (await readableRecord(place)) ?? current;
    if (live === record.run && !remade) return;
    // Where that fails the record names the run before, which counts as continued as long as this one is open; and a
    // model may be told twice.
    await writeRecord(place, { ...rest, run: live }).catch(() => {});
  };
  if ((await isThere(isolation.top)) && known?.state !== 'making') {
    const remade = known?.remade;
    const { leaveOut } = known ?? current;
    await takeOver(place, { ...current, leaveOut, ...(remade ? { remade } : {}) });
    return { ...NOTHING, remade: remade ?? null, begun };
  }
  if (known?.state === 'making' && !isKnownDead(known.by)) {
    throw new EnvironmentError(
      'no_isolation',
      `process ${known.by.pid} is making ${isolation.top}. Wait, then resume.`,
    );
  }
  await removeWorktree(place).catch(async (error: unknown) => {
    // What is left of one that was being removed is in no way.
    if (await isThere(place.top)) throw error;
  });
  const made = await madeAgain(record, isolation, addressOf(log));
  return { ...made, begun, refused: () => removeWorktree(place) };
}

/** Tells whether a process works on a run, beside the one that holds this lease. */
export async function isHeldByOther(log: LeaseStore, root: string, lease?: Lease): Promise<boolean> {
  const holder = await log.holder(root);
  return holder !== null && holder.token !== lease?.holder.token;
}

/** Records that this process uses the worktree now. */
async function takeOver(place: WorktreePlace, record: WorktreeRecord): Promise<void> {
  try {
    await writeRecord(place, record);
  } catch (error) {
    const remedy = remedyFor(error);
    if (remedy === null) throw error;
    const { message } = error as Error;
    const text = `the run cannot go on in ${place.top}: ${message}. Nothing was changed. ${remedy}, then resume.`;
    throw new EnvironmentError('no_isolation', text);
  }
}

/** A run works under the paths that it has recorded: in a moved project there is nothing under them. */
async function assertNotMoved({ origin, top }: Isolation): Promise<void> {
  const project = mainRootOf({ top });
  if (await isFolder(project)) return;
  throw new EnvironmentError(
    'no_directory',
    `${project} is not there any more, and the run worked in ${top}${origin === project ? '' : `, for ${origin}`}. ` +
      `If the project was moved, make it known under its old name, then resume: ln -s NEW_PLACE ${project}`,
  );
}
