import { join } from 'node:path';
import { z } from 'zod';
import { MAX_REMEMBERED } from '../../machines/permissions.ts';
import { foldersUpwards } from './places.ts';
import { PrivateRecord } from './private-record.ts';

/**
 * What a person has allowed for good, by project. It lies in the folder of the user, and not in the project: what an
 * agent may write there could allow what it likes.
 */
export class PermissionLedger {
  readonly #record: PrivateRecord<readonly string[]>;

  constructor(userFolder: string) {
    this.#record = new PrivateRecord(
      join(userFolder, 'permissions.json'),
      z.record(z.string(), z.array(z.string()).max(MAX_REMEMBERED)),
    );
  }

  get path(): string {
    return this.#record.path;
  }

  /** What is allowed in the project of a folder. */
  async of(directory: string): Promise<readonly string[]> {
    const project = await projectOf(directory);
    return project === null ? [] : ((await this.#record.entries())[project] ?? []);
  }

  async add(directory: string, remembers: readonly string[]): Promise<void> {
    const project = await projectOf(directory);
    if (project === null) return;
    await this.#record.update((entries) => ({
      ...entries,
      [project]: [...new Set([...(entries[project] ?? []), ...remembers])].slice(-MAX_REMEMBERED),
    }));
  }
}

/** The top folder of a project. Null: the folder is gone. */
const projectOf = async (directory: string): Promise<string | null> => (await foldersUpwards(directory)).at(-1) ?? null;
