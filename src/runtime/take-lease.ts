import { thisProcess } from '../log/holder.ts';
import type { Holder, LeaseResult } from '../log/lease-store.ts';
import type { Log } from '../log/log.ts';

/**
 * Ends a process whose lease has expired, and what it has started for these runs. Resolves with null when none of it is
 * at work, or the process holds its lease again; else with the reason why it cannot be ended.
 */
export type EndHolder = (
  lapsed: Holder,
  about: { readonly runs: readonly string[]; readonly isLapsed: () => Promise<boolean> },
) => Promise<string | null>;

/** For a log that only this process can write: what held a lease before was here, and is over. */
export const leave: EndHolder = async () => null;

type Taken =
  | Exclude<LeaseResult, { readonly kind: 'held' }>
  | (Extract<LeaseResult, { readonly kind: 'held' }> & { readonly because?: string });

/**
 * Takes the lease of a tree. A process that held it last and never gave it back is ended first: it could go on with
 * what is recorded as interrupted. `takeOver`: a person vouches for it where it cannot be ended.
 */
export async function takeLease(
  { log, endHolder, now }: { readonly log: Log; readonly endHolder: EndHolder; readonly now: () => number },
  root: string,
  takeOver: boolean,
): Promise<Taken> {
  const lapsed = await log.lapsed(root);
  if (lapsed !== null) {
    const runs = (await log.tree(root)).map(({ run }) => run);
    const isLapsed = async () => (await log.lapsed(root))?.token === lapsed.token;
    const because = await endHolder(lapsed, { runs, isLapsed });
    if (because !== null && !takeOver) {
      return { kind: 'held', by: lapsed, expiresAt: new Date(now()).toISOString(), because };
    }
  }
  return log.acquire(root, thisProcess());
}
