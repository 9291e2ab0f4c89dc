import type { Envelope } from '../../log/envelope.ts';
import type { Grant } from '../../app/people/ruling.ts';
import type { Question } from '../../projections/questions.ts';
import type { LoopOutput, ServedBy } from './loop-snapshot.ts';
import type { ActorStatus } from './actor-status.ts';

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
