import type { Envelope } from '../../log/envelope.ts';
import type { Question } from '../../projections/questions.ts';
import type { LoopOutput, ServedBy } from './loop-snapshot.ts';
import type { Standing } from './standing.ts';

/** What an actor that is a loop may be sent. */
export type LoopCommand =
  /** `call` names the question, where several are open. */
  | { readonly type: 'answer'; readonly text: string; readonly call?: string }
  /** Leave to read what a call asks for. */
  | { readonly type: 'grant'; readonly granted: boolean; readonly call?: string; readonly reason?: string }
  | { readonly type: 'steer'; readonly text: string }
  | { readonly type: 'pause' }
  /** Goes on after a `pause`, whoever asked for it. */
  | { readonly type: 'resume' }
  | { readonly type: 'abort'; readonly reason?: string };

/** What a loop tells its own actor. Nobody else needs to send these; inspection shows them. */
export type LoopNotice =
  | { readonly type: 'loopfold.recorded'; readonly fact: Envelope; readonly standing: Standing }
  | { readonly type: 'loopfold.served'; readonly by: ServedBy }
  | { readonly type: 'loopfold.asked'; readonly questions: readonly Question[] }
  | { readonly type: 'loopfold.refused'; readonly command: LoopCommand['type']; readonly reason: string }
  | { readonly type: 'loopfold.ended'; readonly output: LoopOutput }
  | { readonly type: 'loopfold.failed'; readonly error: unknown };

/** What an actor that is a loop emits: every fact of its run, once or more, and the commands that came to nothing. */
export type LoopEmitted =
  | { readonly type: 'fact'; readonly fact: Envelope }
  | { readonly type: 'refused'; readonly command: LoopCommand['type']; readonly reason: string };
