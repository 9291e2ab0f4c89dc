import type { LoopEvent } from '../../machines/events.ts';
import type { Envelope } from '../log/envelope.ts';
import type { EventStore } from '../log/event-store.ts';
import { lifeOf, type RunState } from '../kernel/fold.ts';

/** A process that owns a run records one of these first; one that only records a command does not. */
const OWNING: readonly LoopEvent['type'][] = ['run.started', 'run.resumed', 'run.continued', 'abort.requested'];

/** Whether a process has recorded it when it began to work on the run. */
export const isOwning = ({ type }: Pick<Envelope, 'type'>): boolean => OWNING.some((one) => one === type);

type Sign = Pick<Envelope, 'type' | 'epoch' | 'at'>;

/**
 * The time since which a run has been idle, so that no limit counts it: since the last event of its owner, or since the
 * end of a wait for people, whichever came later. A command that was recorded while the run was unowned is no activity.
 */
export class SignsOfLife {
  idleSince = '';
  #servedBy = 0;
  #isWaiting = false;

  observe({ type, epoch, at }: Sign, state?: RunState): void {
    if (isOwning({ type })) this.#servedBy = epoch;
    const isWaiting = state !== undefined && lifeOf(state).waitingSince !== null;
    if (epoch === this.#servedBy || (this.#isWaiting && !isWaiting)) this.idleSince = at;
    this.#isWaiting = isWaiting;
  }
}

/** The last activity in a tree, of any of its runs: while a child works, its parent records nothing. */
export async function lastSignOf(log: EventStore, root: string): Promise<string> {
  const signs: string[] = [];
  for (const { run, closed, updatedAt } of await log.tree(root)) {
    signs.push(closed === null ? await lastWorkOn(log, run) : updatedAt);
  }
  return signs.reduce((newest, at) => (at > newest ? at : newest), '');
}

async function lastWorkOn(log: EventStore, run: string): Promise<string> {
  const signs = new SignsOfLife();
  for await (const page of log.pages(run)) for (const envelope of page) signs.observe(envelope);
  return signs.idleSince;
}
