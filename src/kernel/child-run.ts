import type { Remade, Share } from '../../machines/events.ts';
import type { Limits, RunSettings } from '../../machines/settings.ts';
import type { LoopMemory } from './loop-memory.ts';

/** What a loop knows when it opens a child run. */
export interface ChildOf {
  /** The parent's settings, as continuations have changed them. */
  readonly settings: RunSettings;
  readonly run: string;
  /** Full id of the effect that opens the child. */
  readonly effect: string;
  /** Which of several children at once it is. Absent: the only one. */
  readonly lane?: string;
  /** The parent's round that opens it, 0-based. */
  readonly iteration: number;
  /** The parent's limits now. */
  readonly limits: Limits;
  readonly attemptLimits: Limits;
  /** What is left of the parent's budget for the child. */
  readonly share: Pick<Share, 'tokens' | 'nanoUsd'>;
  readonly feedback: string | null;
  /** Steering texts of people since the run was started, oldest first. */
  readonly steering: readonly string[];
  /** From what the worktree was made again since the attempt before, or during it. Null: it was not. */
  readonly remade: Remade | null;
  /** What the parent's loop remembers. */
  readonly memory: LoopMemory;
}
