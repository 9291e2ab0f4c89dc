import { setTimeout as sleep } from 'node:timers/promises';
import type { EventOf } from '../../machines/events.ts';
import type { Json } from '../log/envelope.ts';
import type { InboxEntry } from '../log/inbox-store.ts';
import { lifeOf, type RunState } from '../kernel/fold.ts';
import { type Command, LEFT } from './command.ts';
import { IntactTree } from './intact.ts';
import { lastSignOf } from './last-activity.ts';
import type { LoopRun } from './loop-run.ts';
import { readSettings } from './read-settings.ts';
import { later, resumed } from './resuming.ts';
import type { Tree } from './run-tree.ts';
import { reopenRun, runTree, type RuntimeParts } from './own-tree.ts';
import { takeLease } from './take-lease.ts';
import { settleUnowned } from './unowned-tree.ts';

/** How often the sender of a command checks whether the process that holds the run has taken it. */
const COMMAND_POLL_MS = 50;

export type Sent =
  | { readonly kind: 'delivered'; readonly version: number }
  | { readonly kind: 'rejected'; readonly reason: string }
  | { readonly kind: 'unknown_run'; readonly run: string };

/**
 * Sends a command to a run, whichever process owns it: through the inbox of its holder, or, where there is none, by
 * recording it under a lease taken just for that. Only an abort resumes the run, because it has to end. Throws a
 * `LogError` where the run has no holder and its log is damaged.
 */
export async function sendCommand(parts: RuntimeParts, run: string, command: Command): Promise<Sent> {
  const { log, redactFor } = parts;
  const record = await log.run(run);
  if (!record) return { kind: 'unknown_run', run };
  // Where no living process is to be told, and before anything is written: a damaged log stays as it is.
  const intact = new IntactTree(log, record.root);
  if ((await log.holder(record.root)) === null) await intact.assert();
  const settings = await readSettings(log, run);
  const redact = redactFor(settings ?? {});
  const posted = await log.post(run, { type: command.type, payload: redact(command.payload as Json) });
  for (;;) {
    const { status } = (await log.entry(posted.id)) ?? posted;
    if (status.kind === 'rejected' && status.reason === LEFT) return sendCommand(parts, run, command);
    if (status.kind !== 'waiting') return status;
    const settled = await settleMyself(parts, record.root, intact);
    if (typeof settled === 'string') await log.reject(posted.id, settled);
    else if (!settled) await sleep(COMMAND_POLL_MS);
  }
}

/**
 * Settles the inbox of a tree whose lease is free. False: another process holds the lease, and settles it itself. A
 * text: why that process, whose lease has expired, cannot be ended.
 */
async function settleMyself(parts: RuntimeParts, root: string, intact: IntactTree): Promise<boolean | string> {
  const { log } = parts;
  const leased = await takeLease(parts, root, false);
  if (leased.kind === 'held') return leased.because ?? false;
  const { lease } = leased;
  for (;;) {
    const abort = await settleUnowned({ ...parts, root, intact, epoch: lease.epoch });
    if (abort) {
      const { done } = await runTree(parts, lease, undefined, (tree) => resumeToAbort(parts, tree, root, abort));
      await done;
      return true;
    }
    const released = await log.release(lease);
    if (released.kind !== 'inbox_waiting') return true;
  }
}

async function resumeToAbort(
  parts: RuntimeParts,
  tree: Tree,
  root: string,
  { id, payload }: InboxEntry,
): Promise<LoopRun> {
  const { log, now } = parts;
  const idleSince = await lastSignOf(log, root);
  return reopenRun(parts, tree, root, (loaded) => {
    // Its process died while it was aborting: once resumed it has its grace again, and gets this command by the inbox.
    if (isAborting(loaded.state)) return { event: resumed(later(idleSince, loaded.idleSince), now()) };
    return { event: { type: 'abort.requested', payload } as EventOf<'abort.requested'>, entry: id };
  });
}

const isAborting = (state: RunState): boolean => Object.values(lifeOf(state).pending).includes('told');
