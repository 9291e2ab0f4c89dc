import type { Remade } from '../../../machines/events.ts';
import { makeWorktree } from '../../git/worktree/make-worktree.ts';
import { originRepository } from '../../git/worktree/origin-repository.ts';
import { removeWorktree } from '../../git/worktree/remove-worktree.ts';
import { readableRecord, writeRecord } from '../../git/worktree/worktree-record.ts';
import { isThere, placeAt } from '../../git/worktree/worktree-place.ts';
import type { RunRecord } from '../../log/event-store.ts';
import { addressOf } from '../../log/log-files.ts';
import type { Log } from '../../log/log.ts';
import { readSettings } from '../../runtime/read-settings.ts';
import { keepOriginFor } from '../../loops/improvement/effects/origin-since.ts';
import { newestTree } from './make-again.ts';
import { type Prepared, underWay } from './under-way.ts';
import { orderFromTree } from '../../actors/order-from-tree.ts';

/** The worktrees of experiments that are under way. */
export interface ReturnedExperiments {
  /** From what one of them was made again. Null: they were there, or the log says so already. */
  readonly remade: Remade | null;
  /** The log says so now. */
  readonly told: () => Promise<void>;
}

/**
 * Sees to it that the experiments that a run was at find their worktrees: one that is gone is made again, from the
 * newest capture that there is of its work. Throws where it cannot be made.
 */
export async function returnToExperiments(log: Log, root: RunRecord): Promise<ReturnedExperiments> {
  const all: ReturnedExperiments[] = [];
  for (const prepared of await underWay(log, root.run)) all.push(await returnTo(prepared, log, root));
  const told = async () => {
    for (const one of all) await one.told();
  };
  return { remade: all.find(({ remade }) => remade)?.remade ?? null, told };
}

async function returnTo(prepared: Prepared, log: Log, root: RunRecord): Promise<ReturnedExperiments> {
  const { isolation, name, keepsOrigin, base } = prepared;
  const place = placeAt(isolation.top);
  const known = await readableRecord(place);
  const told = async () => {
    const record = await readableRecord(place);
    if (!record?.remade) return;
    const { remade: _remade, ...rest } = record;
    await writeRecord(place, rest);
  };
  if ((await isThere(isolation.top)) && known?.state === 'ready') return { remade: known.remade ?? null, told };
  await removeWorktree(place);
  const origin = await originRepository(isolation.origin);
  // The run itself says what is wrong.
  if (origin === null) return { remade: null, told };
  const child = await workerIn(log, root.run, isolation.top);
  const remade = child ? await newestTree(child, isolation.repository, base) : { from: 0, hash: base };
  await makeWorktree({
    run: root.run,
    origin,
    store: addressOf(log),
    ...orderFromTree(isolation, remade.hash),
    place,
    experiment: name,
    remade,
  });
  if (keepsOrigin) {
    const experiment = { run: root.run, candidate: name, isolation, store: addressOf(log) };
    await keepOriginFor(experiment, new AbortController().signal);
  }
  return { remade, told };
}

/** The run that works in that worktree. Null: none has begun. */
async function workerIn(log: Log, root: string, top: string): Promise<RunRecord | null> {
  const below = (await log.tree(root)).filter(({ run }) => run !== root);
  for (const one of below.toReversed()) if ((await readSettings(log, one.run))?.isolation?.top === top) return one;
  return null;
}
