import type { Log } from '../../log/log.ts';
import { readSettings } from '../../runtime/read-settings.ts';

/**
 * The runs of a thread, oldest first, from its first on: each continues the conversation of the one before. Of two that
 * continue the same one, the newer counts. Empty where the log has no such run.
 */
export async function threadFrom(log: Log, first: string): Promise<readonly string[]> {
  const found = await log.run(first);
  if (!found) return [];
  const thread = [found.run];
  // Runs are listed from the oldest on, and a run is newer than the one that it continues.
  const later = (await log.runs()).filter(({ run, parentEffect }) => parentEffect === null && run > found.run);
  const continues = new Map<string, string>();
  for (const { run } of later) {
    const past = (await readSettings(log, run))?.thread?.continues;
    if (past) continues.set(past, run);
  }
  for (let next = continues.get(first); next !== undefined; next = continues.get(next)) thread.push(next);
  return thread;
}
