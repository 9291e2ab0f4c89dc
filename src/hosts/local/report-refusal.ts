import { z } from 'zod';
import { ActivityStatus } from '../../../machines/settings.ts';
import type { LoopDefinition } from '../../kernel/loop-definition.ts';
import type { Log } from '../../log/log.ts';
import type { Report } from '../../log/outbox-store.ts';
import { comparedReports } from '../../replay/report-faults.ts';
import { jsonIn } from '../../text/json-in.ts';
import { freshly } from './recorded-success.ts';

/** Says that a run has started, goes on, or has ended short of success. */
const ShortOfSuccess = z
  .object({ type: z.string(), status: ActivityStatus.exclude(['completed']) })
  .refine(({ type, status }) => type === `loop.${status}`);

/** Whether a receiver may read it as a success: also where it is no report as this program writes them. */
export const maySaySuccess = ({ body }: Pick<Report, 'body'>): boolean =>
  !ShortOfSuccess.safeParse(jsonIn(body)).success;

/**
 * Why a report must not be sent: the tree of its run does not verify over a connection of its own, or the run's events
 * say something else. Null: it may be sent. Of a run whose loop is not known here, only the tree is verified.
 */
export async function reportRefusal(
  log: Log,
  loops: readonly LoopDefinition[],
  report: Report,
): Promise<string | null> {
  try {
    return await freshly(log, async (found) => {
      const verified = await found.verifyTree(report.run);
      if (verified.kind === 'unknown_run') return refused('its run is not in the log');
      if (verified.kind === 'broken')
        return refused(`run ${verified.run} does not hold at version ${verified.version}: ${verified.reason}`);
      const [fault] = await comparedReports(found, report.run, loops, [report]);
      return fault ? refused(fault.reason) : null;
    });
  } catch (error) {
    return refused(error instanceof Error ? error.message : String(error));
  }
}

const refused = (reason: string): string => `not sent, see \`loopfold check\`: ${reason}`;
