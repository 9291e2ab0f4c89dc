import type { EventOf, Remade } from '../../../../machines/events.ts';
import { makeWorktree } from '../../../actors/workspace/make-worktree.ts';
import { originRepository } from '../../../actors/workspace/origin-repository.ts';
import { removeWorktree } from '../../../actors/workspace/remove-worktree.ts';
import { readableRecord, writeRecord } from '../../../actors/workspace/worktree-record.ts';
import { isThere, placeAt } from '../../../actors/worktree-place.ts';
import type { Envelope } from '../../../log/envelope.ts';
import type { RunRecord } from '../../../log/event-store.ts';
import { addressOf } from '../../../log/log-files.ts';
import type { Log } from '../../../log/log.ts';
import { factOf } from '../../../projections/fact.ts';
import { readSettings } from '../../../runtime/read-settings.ts';
import { keepOriginFor } from '../improvement/origin-since.ts';
import { newestTree } from './make-again.ts';

type Prepared = EventOf<'experiment.prepared'>['payload'];

/** What ends an experiment: nothing works in its worktree after it. */
const OVER: ReadonlySet<string> = new Set(['iteration.started', 'experiment.started', 'evaluation.completed']);

/** The worktree of an experiment that is under way. */
export interface ReturnedExperiment {
  /** From what it was made again. Null: it was there, or the log says so already. */
  readonly remade: Remade | null;
  /** The log says so now. */
  readonly told: () => Promise<void>;
}

/**
 * Sees to it that the experiment that a run was at finds its worktree: one that is gone is made again, from the newest
 * capture that there is of its work. Null: there is no such experiment. Throws where it cannot be made.
 */
export async function returnToExperiment(log: Log, root: RunRecord): Promise<ReturnedExperiment | null> {
  const prepared = await underWay(log, root.run);
  if (!prepared) return null;
  const { isolation, candidate, base } = prepared;
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
  const { origin: directory, repository, dependencies } = isolation;
  const origin = await originRepository(directory);
  // The run itself says what is wrong.
  if (origin === null) return null;
  const child = await workerIn(log, root.run, isolation.top);
  const remade = child ? await newestTree(child, repository, base) : { from: 0, hash: base };
  await makeWorktree({
    run: root.run,
    directory,
    origin,
    store: addressOf(log),
    trees: async () => ({ files: remade.hash, committed: remade.hash }),
    likely: null,
    dependencies: dependencies.map(({ path }) => path),
    place,
    experiment: candidate,
    remade,
  });
  const experiment = { run: root.run, candidate, isolation, store: addressOf(log) };
  await keepOriginFor(experiment, new AbortController().signal);
  return { remade, told };
}

async function underWay(log: Log, run: string): Promise<Prepared | null> {
  let newest: Envelope | null = null;
  for await (const envelope of log.read(run)) {
    if (envelope.type === 'experiment.prepared') newest = envelope;
    else if (OVER.has(envelope.type)) newest = null;
  }
  const fact = newest && factOf(newest);
  return fact?.type === 'experiment.prepared' ? fact.payload : null;
}

/** The run that works in that worktree. Null: none has begun. */
async function workerIn(log: Log, root: string, top: string): Promise<RunRecord | null> {
  const below = (await log.runs()).filter((one) => one.root === root && one.run !== root);
  for (const one of below.toReversed()) if ((await readSettings(log, one.run))?.isolation?.top === top) return one;
  return null;
}
