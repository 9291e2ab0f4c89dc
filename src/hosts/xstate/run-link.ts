import type { RunOptions } from '../../config/options.ts';
import type { Question } from '../../projections/questions.ts';
import type { ActorStatus } from './actor-status.ts';

/** What an actor knows of its run when it is started or restored. */
export interface ConnectedRun {
  readonly run: string;
  readonly options: RunOptions | null;
  /** The last version that the actor knows. */
  readonly version: number;
  readonly paused: ActorStatus['paused'];
  readonly questions: readonly Question[];
}
