import type { ActivityStatus } from '../../machines/settings.ts';

/** What a run does, in the terms of people who wait for it. */
export interface Activity {
  readonly status: ActivityStatus;
  /** 1-based: the round that begins, or the last one that began. 0: it ended before any. */
  readonly iteration: number;
  /** Null: no cap on rounds. */
  readonly maxIterations: number | null;
  /** Why, as its decision says. */
  readonly reason: string;
  /** The label that the run was started by. Null: it was started without one. */
  readonly label: string | null;
}
