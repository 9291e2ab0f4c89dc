import { setTimeout as sleep } from 'node:timers/promises';
import type { Json } from '../log/envelope.ts';
import type { Log } from '../log/log.ts';
import { type Command, HAS_ENDED, LEFT } from './command.ts';
import { IntactTree } from './intact.ts';
import { LeaseWatch, type NotTakenLease } from './take-lease.ts';
import type { RuntimeParts } from './own-tree.ts';
import { readSettings } from './read-settings.ts';
import { settleFreeTree } from './settle-free-tree.ts';

/** How often the sender of a command checks whether the process that holds the run has taken it. */
const COMMAND_POLL_MS = 50;

export type Sent =
  | { readonly kind: 'delivered'; readonly version: number }
  | { readonly kind: 'rejected'; readonly reason: string }
  /** A person has to say that the process is gone which holds the run. */
  | { readonly kind: 'held'; readonly reason: string }
  | { readonly kind: 'unknown_run'; readonly run: string };

/**
 * Sends a command to a run, whichever process owns it: through the inbox of its holder, or, where there is none, by
 * recording it under a lease taken just for that. Only an abort resumes the run, because it has to end. One to a run
 * that has ended is rejected at once. Throws a `LogError` where the run has no holder and its log is damaged.
 */
export async function sendCommand(parts: RuntimeParts, run: string, command: Command): Promise<Sent> {
  const { log, redactFor } = parts;
  const record = await log.run(run);
  if (!record) return { kind: 'unknown_run', run };
  const { root } = record;
  // Where no living process is to be told, and before anything is written: a damaged log stays as it is.
  const intact = new IntactTree(log, root);
  if ((await log.holder(root)) === null) await intact.assert();
  const isOver = await hasEnded(log, root);
  if (isOver) await rejectWaiting(log, root, intact);
  if (isOver || record.closed !== null) return { kind: 'rejected', reason: HAS_ENDED };
  const settings = await readSettings(log, run);
  const redact = redactFor(settings ?? {});
  const posted = await log.post(run, { type: command.type, payload: redact(command.payload as Json) });
  const watch = new LeaseWatch();
  let refused: string | null = null;
  for (;;) {
    const { status } = (await log.entry(posted.id)) ?? posted;
    if (status.kind === 'rejected' && status.reason === LEFT) return sendCommand(parts, run, command);
    if (status.kind === 'rejected' && status.reason === refused) return { kind: 'held', reason: refused };
    if (status.kind !== 'waiting') return status;
    const held = await settleFreeTree(parts, root, intact);
    refused = held && refusedBy(held, watch);
    if (refused !== null) await log.reject(posted.id, refused);
    else if (held) await sleep(COMMAND_POLL_MS);
  }
}

/** Commands that came too late, where the process that would have said so died before it did. */
async function rejectWaiting(log: Log, root: string, intact: IntactTree): Promise<void> {
  await intact.assert();
  for (const { id } of await log.inbox(root)) await log.reject(id, HAS_ENDED);
}

async function hasEnded(log: Log, root: string): Promise<boolean> {
  const { closed = null } = (await log.run(root)) ?? {};
  return closed !== null;
}

/** Why a command cannot wait for the process that held the lease of its tree. Null: that one settles it. */
function refusedBy(held: NotTakenLease, watch: LeaseWatch): string | null {
  const { because, mayRenew = false } = held;
  if (because === undefined || (mayRenew && !watch.isStale(held, COMMAND_POLL_MS))) return null;
  return `${because}. Make sure that it is not at work, then resume the run with --take-over`;
}
