import { type Lease, LEASE_RENEW_MS } from '../log/lease-store.ts';
import type { AppendResult } from '../log/event-store.ts';
import type { Log } from '../log/log.ts';
import type { LoopDefinition } from '../kernel/loop-definition.ts';
import type { RedactFor } from '../kernel/react.ts';
import { LEFT } from './command.ts';
import { IntactTree } from './intact.ts';
import type { MakeHandlers } from './make-handlers.ts';
import { type Readings, RunClock } from './run-clock.ts';
import { SharedTimer } from './shared-timer.ts';
import { settleUnowned } from './tree-without-owner.ts';

/** What a tree is served with, under its lease. */
export interface TreeParts {
  readonly log: Log;
  readonly makeHandlers: MakeHandlers;
  readonly lease: Lease;
  /** Milliseconds since 1970. */
  readonly now: Readings['now'];
  readonly monotonic: Readings['monotonic'];
  readonly newRunId: () => string;
  readonly redactFor: RedactFor;
  readonly loops: readonly LoopDefinition[];
}

/** The same for one tree, whose times are those of a clock of its own. */
export type TimedParts = TreeParts & Pick<RunClock, 'now' | 'jumped'>;

export function timed(parts: TreeParts): TimedParts {
  const clock = new RunClock(parts);
  return { ...parts, now: (newest?: number) => clock.now(newest), jumped: () => clock.jumped() };
}

/** By log, so that a process renews all its leases of a log in one commit. */
const renewals = new WeakMap<Log, SharedTimer>();

/** Renews the lease of a tree until what is handed back is called. A renewal that fails is tried again by the next. */
export function renewLease(
  { log, lease }: Pick<TreeParts, 'log' | 'lease'>,
  onLost: (epoch: number) => void,
): () => void {
  const renew = async () => {
    const renewed = await log.renew(lease);
    if (renewed.kind === 'lost') onLost(renewed.epoch);
  };
  const timer = renewals.get(log) ?? new SharedTimer(LEASE_RENEW_MS);
  renewals.set(log, timer);
  return timer.join(() => void renew().catch(() => {}));
}

/** Returns the lease of a tree that is left, once every command in its inbox is settled. */
export async function releaseTree(parts: TreeParts): Promise<void> {
  const { log, lease } = parts;
  const { root, epoch } = lease;
  const intact = new IntactTree(log, root);
  for (;;) {
    const released = await log.release(lease);
    if (released.kind !== 'inbox_waiting') return;
    const abort = await settleUnowned({ ...parts, root, intact, epoch });
    if (abort) await log.reject(abort.id, LEFT);
  }
}

/** Tells whether an append has given the lease back. */
export const isReleased = (appended: AppendResult): boolean =>
  appended.kind === 'appended' && appended.isReleased === true;
