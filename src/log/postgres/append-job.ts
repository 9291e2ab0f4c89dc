import { chain, type Head, START, type Unplaced } from '../chain.ts';
import type { Append, AppendResult } from '../event-store.ts';
import type { Prepared } from '../prepare-events.ts';
import type { WriteJob } from './group-writer.ts';

/** An append that waits for its transaction. */
export interface AppendJob extends WriteJob {
  readonly kind: 'append';
  readonly request: Append;
  readonly events: readonly Prepared[];
  /** Its events in their places, once a transaction has tried them: tried again, they have to be the same. */
  chained: Chained | null;
  answer: Answer | null;
  /** Work on the events in their places, done while the server works on them: once for each time they are sent. */
  readonly sent: (events: readonly Unplaced[]) => void;
  /** A statement may have written it, and been committed: its events are looked for before it is refused. */
  mayBeDone: boolean;
}

export interface Chained {
  readonly events: readonly Unplaced[];
  /** The hash that the first of them follows. */
  readonly previous: string;
}

export type Answer =
  | { readonly kind: 'placed'; readonly positions: readonly number[]; readonly isReleased: boolean }
  /** The run has another event where this process wrote its last one. */
  | { readonly kind: 'diverged'; readonly version: number }
  /** The log does not know the run of the effect that opens this one. */
  | { readonly kind: 'orphan' }
  | AppendResult;

/** The events of an append, behind the head that this process knows of its run. */
export function chainedBehind({ request, events }: AppendJob, head: Head | null): Chained {
  const { run, expectedVersion, epoch } = request;
  // A head at another version makes a chain that is refused: by the version.
  const previous = expectedVersion === 0 ? START.hash : (head?.hash ?? START.hash);
  return { previous, events: chain({ version: expectedVersion, hash: previous }, run, epoch, events) };
}

/** The events of a job that is on its way, and what they follow. */
export function chainedOf({ chained }: AppendJob): Chained {
  if (!chained) throw new Error('an append that is sent before its events have their places');
  return chained;
}

/** Where a run stands behind an append. */
export function lastOf(job: AppendJob): Unplaced {
  const last = chainedOf(job).events.at(-1);
  if (!last) throw new Error('an append without events');
  return last;
}

/** Waits for the answer to a statement. What the jobs do meanwhile costs no time. */
export async function answerTo<T>(jobs: readonly AppendJob[], asked: Promise<T>): Promise<T> {
  // A failure of the statement counts, whatever comes of the work: it is awaited below.
  asked.catch(() => {});
  for (const job of jobs) job.sent(chainedOf(job).events);
  return asked;
}
