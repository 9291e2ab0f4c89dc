import { join } from 'node:path';
import { z } from 'zod';
import { PrivateRecord } from './private-record.ts';

/** What a person approved at a path: `MODE HASH` of git, or `none` where nothing was left there. */
const Approved = z.strictObject({ path: z.string(), entry: z.string() });
export type Approved = z.infer<typeof Approved>;

/** The oldest are forgotten first. */
const MAX_REPOSITORIES = 200;
const MAX_APPROVED = 5_000;

/**
 * The grounds that a person has let count after the run that changed them had ended: by the git directory of the
 * repository, and by what they were then. One that is changed again is approved no more.
 */
export class ApprovedGrounds {
  readonly #record: PrivateRecord<readonly Approved[]>;

  constructor(userFolder: string) {
    this.#record = new PrivateRecord(join(userFolder, 'grounds.json'), z.record(z.string(), z.array(Approved)));
  }

  async of(repository: string): Promise<ReadonlySet<string>> {
    return new Set(((await this.#record.entries())[repository] ?? []).map(keyOf));
  }

  async add(repository: string, approved: readonly Approved[]): Promise<void> {
    await this.#record.update(({ [repository]: before = [], ...others }) => {
      const known = new Map([...before, ...approved].map((one) => [keyOf(one), one]));
      const kept = Object.entries(others).slice(1 - MAX_REPOSITORIES);
      return Object.fromEntries([...kept, [repository, [...known.values()].slice(-MAX_APPROVED)]]);
    });
  }
}

const keyOf = ({ path, entry }: Approved): string => approvedKey(path, entry);

export const approvedKey = (path: string, entry: string): string => `${entry} ${path}`;

/** As it is kept. */
export const entryText = (entry: { readonly mode: string; readonly hash: string } | null): string =>
  entry === null ? 'none' : `${entry.mode} ${entry.hash}`;
