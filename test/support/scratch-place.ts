/** What is known of a memory file system. */
export interface MemoryPlace {
  readonly path: string;
  /** What can be written there: the lesser of what the file system has free and what the memory has. */
  readonly freeBytes: number;
  readonly isWritable: boolean;
  /** Whether programs that lie there can be started: containers often mount it `noexec`. */
  readonly startsPrograms: boolean;
}

/** Several times what a run of all tests has there at once. */
export const LEAST_FREE_BYTES = 4 * 2 ** 30;

/**
 * The memory file system in which the tests make their folders, or null: then those are where the system has its
 * temporary files. A `TMPDIR` that the user has set is always kept.
 */
export function scratchPlace({ TMPDIR }: NodeJS.ProcessEnv, memory: MemoryPlace): string | null {
  if (TMPDIR !== undefined && TMPDIR !== '') return null;
  if (!memory.isWritable || !memory.startsPrograms) return null;
  return memory.freeBytes < LEAST_FREE_BYTES ? null : memory.path;
}
