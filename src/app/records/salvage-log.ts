import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makeTemporaryFolder } from '../../log/temporary-folders.ts';
import { type Repaired, repair } from '../../log/open-store.ts';

/** A temporary copy of what can be read of a damaged log. */
export interface SalvagedLog extends Repaired {
  readonly path: string;
  /** Removes the copy, after every log that was opened over it has been closed. */
  readonly remove: () => Promise<void>;
}

/**
 * Copies what can be read of a damaged log into the folder for temporary files. Throws a `LogError`, or an
 * `EnvironmentFault`.
 */
export async function salvageLog(damaged: string): Promise<SalvagedLog> {
  const folder = await makeTemporaryFolder('salvage');
  const remove = () => rm(folder, { recursive: true, force: true });
  const path = join(folder, 'log.db');
  try {
    return { ...repair({ path: damaged }, path), path, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}
