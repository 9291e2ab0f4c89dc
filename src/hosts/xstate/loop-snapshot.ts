import type { Snapshot, StateValue } from 'xstate';
import { NO_SPEND, type Outcome, type Spend } from '../../../machines/outcome.ts';
import type { RunOptions } from '../../config/options.ts';
import type { Question } from '../../projections/questions.ts';
import type { ActorStatus } from './actor-status.ts';

/** Which process runs a run: this one, another one, or null for none yet. */
export type ServedBy = 'here' | 'elsewhere' | null;

/** What to do, and the name of the run that does it: a UUIDv7, made where none is given. */
export type LoopInput = RunOptions & { readonly runId?: string };

/** How the loop ended. Every ending is an output: only an environment that is broken is an error. */
export interface LoopOutput {
  readonly run: string;
  readonly outcome: Outcome;
  /** The newest answer of the run. */
  readonly answer: string;
  readonly spend: Spend;
}

/** What is known of the run, as data. */
export interface LoopContext extends Omit<ActorStatus, 'state' | 'value'> {
  readonly run: string;
  /** The options to start the run with; null once the run is in the log. */
  readonly options: RunOptions | null;
  /** Null until the run is in the log. */
  readonly state: string | null;
  /** Its open questions to people; those of attempts, while they run in this process. */
  readonly questions: readonly Question[];
  readonly servedBy: ServedBy;
}

export type LoopSnapshot = Snapshot<LoopOutput> & {
  readonly context: LoopContext;
  /** Its state on the chart of its loop, for inspectors: `{ turn: { stream: 'asking' } }`. Absent before it starts. */
  readonly value?: StateValue;
};

/** The first snapshot of an actor: its run has an id and is in no log yet. */
export function initialSnapshot(run: string, options: RunOptions): LoopSnapshot {
  const context = {
    run,
    options,
    version: 0,
    state: null,
    paused: null,
    spend: NO_SPEND,
    questions: [],
    servedBy: null,
  };
  return { status: 'active', output: undefined, error: undefined, context };
}

/** A snapshot as data. An error keeps its name, its message and its JSON members. */
export const asData = (snapshot: LoopSnapshot): LoopSnapshot =>
  snapshot.error instanceof Error ? ({ ...snapshot, error: errorAsData(snapshot.error) } as LoopSnapshot) : snapshot;

const errorAsData = (error: Error): unknown =>
  JSON.parse(JSON.stringify({ ...error, name: error.name, message: error.message, cause: undefined }));

/** A snapshot from data. Which process runs the run now is found out anew. */
export function fromData(data: Snapshot<unknown>): LoopSnapshot {
  const { context } = data as Partial<LoopSnapshot>;
  if (typeof context?.run !== 'string') throw new TypeError('not the snapshot of a loop: it names no run');
  return { ...(data as LoopSnapshot), context: { ...context, servedBy: null } };
}
