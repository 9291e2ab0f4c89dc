import type { Snapshot } from 'xstate';
import { NO_SPEND, type Outcome, type Spend } from '../../../machines/outcome.ts';
import type { RunOptions } from '../../config/options.ts';
import type { Question } from '../../projections/questions.ts';
import type { Standing } from './standing.ts';

/** Who performs a run's effects: this process, another one, or nobody yet. */
export type ServedBy = 'here' | 'elsewhere' | null;

/** What to do, and the name of the run that does it: a UUIDv7, made where none is given. */
export type LoopInput = RunOptions & { readonly runId?: string };

/** How the loop ended. Every ending is an output: only an environment that is broken is an error. */
export interface LoopOutput {
  readonly run: string;
  readonly outcome: Outcome;
  /** The newest thing it had to say for itself. */
  readonly answer: string;
  readonly spend: Spend;
}

/** What is known of the run. Data, all of it. */
export interface LoopContext extends Omit<Standing, 'state'> {
  readonly run: string;
  /** What the run is to be started with; null once it is in the log, which knows better. */
  readonly options: RunOptions | null;
  /** Null until the run is in the log. */
  readonly state: string | null;
  /** What it waits for people to answer; of attempts, while they are served here. */
  readonly questions: readonly Question[];
  readonly servedBy: ServedBy;
}

export type LoopSnapshot = Snapshot<LoopOutput> & { readonly context: LoopContext };

/** Where an actor begins: its run has a name and is in no log yet. */
export function unborn(run: string, options: RunOptions): LoopSnapshot {
  const context = { run, options, version: 0, state: null, paused: null, spend: NO_SPEND, questions: [], servedBy: null };
  return { status: 'active', output: undefined, error: undefined, context };
}

/** A snapshot as data. An error keeps its words and whatever of it JSON can say. */
export const asData = (snapshot: LoopSnapshot): LoopSnapshot =>
  snapshot.error instanceof Error ? { ...snapshot, error: errorAsData(snapshot.error) } as LoopSnapshot : snapshot;

const errorAsData = (error: Error): unknown =>
  JSON.parse(JSON.stringify({ ...error, name: error.name, message: error.message, cause: undefined }));

/** A snapshot that was data. Who serves the run now is for this process to find out. */
export function fromData(data: Snapshot<unknown>): LoopSnapshot {
  const { context } = data as Partial<LoopSnapshot>;
  if (typeof context?.run !== 'string') throw new TypeError('not the snapshot of a loop: it names no run');
  return { ...(data as LoopSnapshot), context: { ...context, servedBy: null } };
}
