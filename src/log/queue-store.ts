import type { Json } from './envelope.ts';
import type { Holder, LapsedLease, Lease } from './lease-store.ts';

/**
 * The part of a log in which runs wait for a worker: each is a task that was submitted, under the id that its run will
 * have. The lease of that run says who works on it, and nothing else does.
 */
export interface QueueStore {
  /** Records a task. False where one, or a run, has that id: then nothing changes. */
  submit(submission: NewSubmission): Promise<boolean>;
  /**
   * Takes the lease of the run that is due the longest, and has no living holder: in one transaction, so that no two
   * processes get it. Null: none is due.
   */
  claim(claim: QueueClaim): Promise<Claimed | null>;
  /** Records how a run has left its worker. False where its lease has passed on since: then nothing changes. */
  settle(lease: Pick<Lease, 'root' | 'epoch'>, settled: Settled): Promise<boolean>;
  /** Makes due what waits for a person in one of these trees, where something was recorded or posted since. */
  stir(roots: readonly string[] | null): Promise<number>;
  /** Makes due what was set aside or paused. False where it is neither. */
  requeue(run: string): Promise<boolean>;
  /** Takes a task back with which no worker has begun. False where one has, or it is over. */
  withdraw(run: string): Promise<boolean>;
  submission(run: string): Promise<Submission | null>;
  /** Those that are not over, the first that was submitted first. */
  submissions(): Promise<readonly Submission[]>;
  /** Those of a key that are not over, and those that were over at this time (RFC 3339) or later. */
  submissionsOf(key: string, since: string): Promise<readonly Submission[]>;
  /** Resolves when a process has written to the log since the last call, or the time is over, or by the signal. */
  stirred(signal: AbortSignal, mostMs: number): Promise<void>;
}

export interface NewSubmission {
  /** The id of the run to come: a UUIDv7. */
  readonly run: string;
  readonly task: Json;
  /** At most `atOnce` runs of one key are worked on at the same time. */
  readonly limit: { readonly key: string; readonly atOnce: number } | null;
  /** RFC 3339: not before. Null: at once. */
  readonly notBefore: string | null;
}

/**
 * `due`: a worker may claim it, from `dueAt` on. `claimed`: one has. `waits`: for a person. `paused`: by a person.
 * `aside`: no worker tries it again before `requeue`. `over`: it has ended, or was withdrawn.
 */
export type SubmissionStanding = 'due' | 'claimed' | 'waits' | 'paused' | 'aside' | 'over';

export interface Submission extends Omit<NewSubmission, 'notBefore'> {
  /** RFC 3339. */
  readonly at: string;
  readonly dueAt: string;
  readonly standing: SubmissionStanding;
  /** The number of workers that were lost with it since one has left it in order. */
  readonly crashes: number;
  /** The number of times that it could not begin or go on since. */
  readonly tries: number;
  /** Why it is where it is, as a sentence. */
  readonly because: string | null;
}

export interface QueueClaim {
  readonly by: Holder;
  /** Runs that this process leaves to others. */
  readonly except: readonly string[];
}

export interface Claimed {
  readonly submission: Submission;
  readonly lease: Lease;
  /** The process that was lost with it. Null: it was left in order, or never begun. */
  readonly lapsed: LapsedLease | null;
  /** False: it was claimed before, and nothing was said of how it left. */
  readonly wasDue: boolean;
}

/** `seen`: the versions of all runs of its tree, added up, when it was found to wait. `inMs`: due again after that. */
export type Settled =
  | { readonly standing: 'due'; readonly inMs: number; readonly because: string | null; readonly hasFailed: boolean }
  | { readonly standing: 'waits'; readonly seen: number }
  | { readonly standing: 'paused' | 'aside' | 'over'; readonly because: string | null };

export const MAX_TASK_BYTES = 1024 * 1024;
export const MAX_LIMIT_KEY_CHARACTERS = 200;
