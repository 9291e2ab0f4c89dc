import type { Share } from '../../machines/events.ts';
import type { Limits, RunSettings } from '../../machines/settings.ts';

/** What a loop knows when it opens a child run. */
export interface ChildOf {
  /** Of the parent, as continuations have changed them. */
  readonly settings: RunSettings;
  readonly run: string;
  /** Full id of the effect that the child performs. */
  readonly effect: string;
  /** The round that it is opened in, 0-based. */
  readonly iteration: number;
  /** Those of the parent that are in force. */
  readonly limits: Limits;
  readonly attemptLimits: Limits;
  /** What is left for it. */
  readonly share: Pick<Share, 'tokens' | 'nanoUsd'>;
  readonly feedback: string | null;
  /** What a person has said since the run was started, oldest first. */
  readonly steering: readonly string[];
}
