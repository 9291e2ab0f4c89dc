import { setTimeout as delay } from 'node:timers/promises';
import { processesWith, runsOf } from '../../actors/command-mark.ts';
import { endFound } from '../../actors/process-group.ts';
import { hasOpen, isHere, isKnownDead, isStopped } from '../../log/holder.ts';
import { type Holder, LEASE_TTL_MS } from '../../log/lease-store.ts';
import type { EndHolder } from '../../runtime/take-lease.ts';

const POLL_MS = 250;
/** How long a killed process may take to vanish. */
const VANISH_MS = 5_000;

/**
 * Ends the process that let the lease of a run expire, and the commands of that run. A stopped process is ended at
 * once. One that works may only be slow: it has as long again as a lease lasts to renew it. One that does not have the
 * log open did not take the lease there, as where the log is a copy: it is left alone.
 */
export const endHolder: EndHolder = async (holder, { runs, store, isLapsed }) => {
  if (holder.pid === process.pid && isHere(holder)) return null;
  if (!isKnownDead(holder)) {
    if (!isHere(holder)) return `it ran elsewhere (${holder.host})`;
    if (hasOpen(holder.pid, store) === false)
      return `process ${holder.pid} is at work, and does not have this log open`;
    if (isStopped(holder.pid) !== true && !(await staysLapsed(isLapsed))) return null;
    const because = await killed(holder);
    if (because !== null) return because;
  }
  await endFound(() => processesWith((environment) => runsOf(environment).some((run) => runs.includes(run))));
  return null;
};

async function staysLapsed(isLapsed: () => Promise<boolean>): Promise<boolean> {
  for (let waitedMs = 0; waitedMs < LEASE_TTL_MS; waitedMs += POLL_MS) {
    await delay(POLL_MS);
    if (!(await isLapsed())) return false;
  }
  return true;
}

/** Null: it is gone. A pid that another process has meanwhile is left alone: that one has another start. */
async function killed(holder: Holder): Promise<string | null> {
  const { pid } = holder;
  if (isKnownDead(holder)) return null;
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EPERM')
      return `process ${pid} belongs to another user and is at work`;
  }
  for (let waitedMs = 0; !isKnownDead(holder); waitedMs += POLL_MS) {
    if (waitedMs >= VANISH_MS) return `process ${pid} cannot be ended`;
    await delay(POLL_MS);
  }
  return null;
}
