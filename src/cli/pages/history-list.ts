import type { Log } from '../../log/log.ts';
import { assertIntact } from '../../runtime/intact.ts';
import { EXIT } from '../terminal/exit-status.ts';

/**
 * Ends a verb that has shown the history of a run as it lies, which is how a reader finds what is wrong with it; closes
 * the log. Throws a `LogError` `damaged` where that history, or one below it, was changed.
 */
export async function listedHistory(log: Log, run: string): Promise<number> {
  try {
    await assertIntact(log, run);
    return EXIT.success;
  } finally {
    await log.close();
  }
}
