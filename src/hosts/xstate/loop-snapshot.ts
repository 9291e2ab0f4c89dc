import type { Snapshot, StateValue } from 'xstate';
import { NO_SPEND, type Outcome, type Spend } from '../../../machines/outcome.ts';
import type { RunOptions } from '../../config/options.ts';
import type { Question } from '../../projections/questions.ts';
import type { ActorStatus } from './actor-status.ts';
import type { Envelope } from '../../log/envelope.ts';
import type { Grant } from '../../app/people/ruling.ts';

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

/** The events that an actor of a loop accepts. */
export type LoopCommand =
  /** `call` names the question, where several are open. */
  | { readonly type: 'answer'; readonly text: string; readonly call?: string }
  /** Permission to read what a call asks for, or an approval of what it allows. */
  | ({ readonly type: 'grant' } & Grant)
  | { readonly type: 'steer'; readonly text: string }
  | { readonly type: 'pause' }
  /** Resumes the run after a `pause`, no matter which sender paused it. */
  | { readonly type: 'resume' }
  | { readonly type: 'abort'; readonly reason?: string };

/** The events that a loop sends to its own actor. Callers never send them; inspection shows them. */
export type LoopNotice =
  | { readonly type: 'loopfold.recorded'; readonly fact: Envelope; readonly status: ActorStatus }
  | { readonly type: 'loopfold.served'; readonly by: ServedBy }
  | { readonly type: 'loopfold.asked'; readonly questions: readonly Question[] }
  | { readonly type: 'loopfold.refused'; readonly command: LoopCommand['type']; readonly reason: string }
  | { readonly type: 'loopfold.ended'; readonly output: LoopOutput }
  | { readonly type: 'loopfold.failed'; readonly error: unknown };

/** The events that an actor of a loop emits: every fact of its run, once or more, and refused commands. */
export type LoopEmitted =
  | { readonly type: 'fact'; readonly fact: Envelope }
  | { readonly type: 'refused'; readonly command: LoopCommand['type']; readonly reason: string };
