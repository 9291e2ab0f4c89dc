import { z } from 'zod';
import { PrivateRecord } from '../config/private-record.ts';
import { IssueRule } from './trigger-rules.ts';

/** More runs than work for issues at once. */
const MAX_FOLLOWED = 1_000;

/** A run that was begun for an issue and has not ended, as it is kept for a server that starts again. */
export const FollowedIssue = z.strictObject({
  run: z.string(),
  /** The log that the run is in. */
  store: z.string(),
  rule: IssueRule.pick({ source: true, on: true, match: true, repository: true }),
  event: z.strictObject({
    source: IssueRule.shape.source,
    repository: z.string(),
    issue: z.string(),
    url: z.string(),
  }),
  /** The comment about it. Null: none was written. */
  comment: z.string().nullable(),
});
export type FollowedIssue = z.infer<typeof FollowedIssue>;

/** The runs that work for issues of one log, in a file of the user. */
export class FollowedIssues {
  readonly #record: PrivateRecord<FollowedIssue>;
  readonly #store: string;

  constructor(path: string, store: string) {
    this.#record = new PrivateRecord(path, z.record(z.string(), FollowedIssue));
    this.#store = store;
  }

  /** Those of this log. */
  async entries(): Promise<readonly FollowedIssue[]> {
    return Object.values(await this.#record.entries()).filter(({ store }) => store === this.#store);
  }

  async note(one: Omit<FollowedIssue, 'store'>): Promise<void> {
    const noted = { ...one, store: this.#store };
    await this.#record.update((known) => {
      const others = Object.entries(known).filter(([run]) => run !== one.run);
      return Object.fromEntries([...others.slice(-MAX_FOLLOWED), [one.run, noted]]);
    });
  }

  async forget(run: string): Promise<void> {
    await this.#record.update((known) => Object.fromEntries(Object.entries(known).filter(([one]) => one !== run)));
  }
}
