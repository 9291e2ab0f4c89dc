import { isKnownDead, isStopped, isHere } from '../../log/holder.ts';
import type { Holder } from '../../log/lease-store.ts';
import type { Claimed, Settled } from '../../log/queue-store.ts';
import { CODER } from '../../config/agents/coder.ts';
import { endHolder } from '../local/end-holder.ts';
import type { LiveRun } from '../../app/running/live-runs.ts';
import type { App } from '../../app/app.ts';
import { MAX_CRASHES, standingNow } from './settle-run.ts';
import { type KeyBudget, keyTurn, shareOf, within } from './key-budget.ts';
import type { RunPlaces } from './run-places.ts';
import { optionsOf, taskOf, type WorkerRun } from './worker-options.ts';

/** A claimed run that works here; or what becomes of it, since it does not. */
export type Begun =
  /** `left`: why a configuration file of its repository is not used. */
  | { readonly kind: 'live'; readonly live: LiveRun; readonly isNew: boolean; readonly left: string | null }
  | { readonly kind: 'settled'; readonly settled: Settled }
  /** Another worker may be able to resume it. */
  | { readonly kind: 'left_to_others'; readonly because: string };

/** What a worker brings to a run. */
export interface WorkedBy {
  readonly own: WorkerRun;
  readonly places: RunPlaces | null;
  readonly keyBudget: KeyBudget | null;
}

/**
 * Begins a claimed run, or resumes it. What was lost with a worker is known by the log: an effect that may
 * not be repeated is recorded as interrupted. Throws what `Loops.start` and `Loops.resume` throw.
 */
export async function beginClaimed(loops: App, { own, places, keyBudget }: WorkedBy, claimed: Claimed): Promise<Begun> {
  const { submission, lapsed, wasDue } = claimed;
  const { run, task, crashes } = submission;
  const { log } = loops;
  const { repository } = taskOf(task);
  if (repository !== undefined && !places?.allows(repository))
    return { kind: 'left_to_others', because: `this worker does not work in ${repository}` };
  if (crashes >= MAX_CRASHES)
    return aside(`${crashes} workers were lost with it, one after the other. \`loopfold requeue\` has it tried again`);
  if (lapsed) await endWhatIsHere(loops, run, lapsed.by);
  const record = await log.run(run);
  if (!record) {
    const key = submission.limit?.key;
    const worked = { own, places };
    return key === undefined || !keyBudget
      ? begun(loops, worked, claimed)
      : withinKey(loops, { key, keyBudget }, (caps) => begun(loops, worked, claimed, caps));
  }
  if (record.closed !== null) return { kind: 'settled', settled: { standing: 'over', because: null } };
  const settled = lapsed || wasDue ? null : await standingNow(log, run, loops.definitions);
  if (settled && settled.standing !== 'due') return { kind: 'settled', settled };
  const because = repository === undefined ? null : await places?.bring(loops, run, repository);
  if (because) return { kind: 'left_to_others', because };
  return resumed(loops, claimed);
}

/** Begins a run with what its key has left, while no other run of the key begins. */
async function withinKey(
  loops: App,
  { key, keyBudget }: { readonly key: string; readonly keyBudget: KeyBudget },
  begin: (caps: KeyBudget) => Promise<Begun>,
): Promise<Begun> {
  const endTurn = await keyTurn(loops.log, key);
  if (!endTurn) return { kind: 'settled', settled: later(key) };
  try {
    const share = await shareOf(loops, key, keyBudget);
    return share.kind === 'spent' ? { kind: 'settled', settled: tomorrow(share.inMs, key) } : await begin(share.caps);
  } finally {
    await endTurn();
  }
}

/** Begins a run that was never at work. `caps`: what its key has left. */
async function begun(
  loops: App,
  { own, places }: Pick<WorkedBy, 'own' | 'places'>,
  { submission: { task }, lease }: Claimed,
  caps: KeyBudget = {},
): Promise<Begun> {
  const { repository, commit } = taskOf(task);
  const placed = repository === undefined ? null : await places?.optionsFor(repository, commit);
  const options = within(optionsOf(over(own, placed?.config.options), task), caps);
  const live = await loops.start({ ...options, ...placed?.place }, undefined, lease);
  return { kind: 'live', live, isNew: true, left: placed?.config.left ?? null };
}

/** When a run is tried again, since another of its key is about to begin. */
const TURN_PAUSE_MS = 1_000;

const later = (key: string): Settled => ({
  standing: 'due',
  inMs: TURN_PAUSE_MS,
  because: `another run of ${key} is about to begin`,
  hasFailed: false,
});

/** The options of a worker over those of a file, as flags are. The agent that ships stands for none. */
const over = (own: WorkerRun, file: Partial<WorkerRun> = {}): WorkerRun => ({
  ...file,
  ...own,
  ...(own.agent === CODER && file.agent !== undefined ? { agent: file.agent } : {}),
});

const tomorrow = (inMs: number, key: string): Settled => ({
  standing: 'due',
  inMs,
  because: `the runs of ${key} have spent their budget of today, or have reserved it: it begins after midnight UTC`,
  hasFailed: false,
});

async function resumed(loops: App, { submission: { run }, lease }: Claimed): Promise<Begun> {
  const result = await loops.resume(run, undefined, { lease });
  switch (result.kind) {
    case 'live':
      return { kind: 'live', live: result.live, isNew: false, left: null };
    case 'over':
      return { kind: 'settled', settled: { standing: 'over', because: null } };
    case 'unknown_machine':
      return { kind: 'left_to_others', because: `its loop ${result.machine} is not here` };
    case 'unreadable':
      return { kind: 'left_to_others', because: 'this version of the program cannot read it' };
    default:
      return aside(`it cannot go on: ${result.kind}`);
  }
}

const aside = (because: string): Begun => ({ kind: 'settled', settled: { standing: 'aside', because } });

/**
 * Ends what a lost worker has left on this machine. One that is at work finds out that its lease has passed on, and
 * stops; of one on another machine only its epoch is known, which the log takes nothing from any more.
 */
async function endWhatIsHere({ log }: App, root: string, holder: Holder): Promise<void> {
  if (!isHere(holder) || !(isKnownDead(holder) || isStopped(holder.pid))) return;
  const runs = (await log.tree(root)).map(({ run }) => run);
  await endHolder(holder, { runs, store: log.store, isLapsed: async () => false });
}
