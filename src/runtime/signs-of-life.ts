import type { LoopEvent } from '../../machines/events.ts';
import type { Envelope } from '../log/envelope.ts';
import type { Log } from '../log/log.ts';
import { lifeOf, type RunState } from './fold.ts';

/** Whoever takes a run up says so with one of these; a process that only passes a command on does not. */
const TAKEN_UP: readonly LoopEvent['type'][] = ['run.started', 'run.resumed', 'run.continued', 'abort.requested'];

type Sign = Pick<Envelope, 'type' | 'epoch' | 'at'>;

/**
 * Since when a run's time has counted for no limit: since it was last worked on, or since the end of a wait for people,
 * whichever came later. A command that was recorded while nobody served the run is no work.
 */
export class SignsOfLife {
  idleSince = '';
  #servedBy = 0;
  #isWaiting = false;

  observe({ type, epoch, at }: Sign, state?: RunState): void {
    if (TAKEN_UP.some((one) => one === type)) this.#servedBy = epoch;
    const isWaiting = state !== undefined && lifeOf(state).waitingSince !== null;
    if (epoch === this.#servedBy || (this.#isWaiting && !isWaiting)) this.idleSince = at;
    this.#isWaiting = isWaiting;
  }
}

/** When anybody last worked in a tree: while a child works, its parent is silent. */
export async function lastSignOf(log: Log, root: string): Promise<string> {
  const signs: string[] = [];
  for (const { run, closed, updatedAt, ...record } of await log.runs()) {
    if (record.root !== root) continue;
    signs.push(closed === null ? await lastWorkOn(log, run) : updatedAt);
  }
  return signs.reduce((newest, at) => (at > newest ? at : newest), '');
}

async function lastWorkOn(log: Log, run: string): Promise<string> {
  const signs = new SignsOfLife();
  for await (const envelope of log.read(run)) signs.observe(envelope);
  return signs.idleSince;
}
