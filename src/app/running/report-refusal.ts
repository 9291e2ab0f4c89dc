import { z } from 'zod';
import { ActivityStatus } from '../../../machines/settings.ts';
import type { LoopDefinition } from '../../kernel/loop-definition.ts';
import type { EventStore } from '../../log/event-store.ts';
import type { Log } from '../../log/log.ts';
import type { Report } from '../../log/outbox-store.ts';
import { readEvents } from '../../log/reading.ts';
import { comparedReports } from '../../replay/report-faults.ts';
import { jsonIn } from '../../text/json-in.ts';
import { freshly } from '../records/success-record.ts';

/** Says that a run has started, goes on, or has ended short of success. */
const ShortOfSuccess = z
  .object({ type: z.string(), status: ActivityStatus.exclude(['completed']) })
  .refine(({ type, status }) => type === `loop.${status}`);

/** Whether a receiver may read it as a success: also where it is no report as this program writes them. */
export const maySaySuccess = ({ body }: Pick<Report, 'body'>): boolean =>
  !ShortOfSuccess.safeParse(jsonIn(body)).success;

type Address = Pick<Report, 'run' | 'url' | 'secretVariable'>;

/**
 * Why a report must not be sent to its address: the run was not started with that, or with another variable for its
 * signature. Null: it may be. The start of the run is read as it lies.
 */
export async function addressRefusal(log: EventStore, report: Address): Promise<string | null> {
  try {
    const reason = await addressFault(log, report);
    return reason === null ? null : refused(reason);
  } catch (error) {
    return refused(error instanceof Error ? error.message : String(error));
  }
}

async function addressFault(log: EventStore, { run, url, secretVariable }: Address): Promise<string | null> {
  for await (const read of readEvents(log, run, undefined, { from: 1, to: 1 })) {
    // A newer program wrote it: its tree is what can be verified here.
    if (read.kind === 'unreadable' || read.event.type !== 'run.started') return null;
    const { webhooks = [] } = read.event.payload.settings;
    const there = webhooks.filter((one) => one.url === url);
    if (there.length === 0) return `its run does not report to ${url}`;
    const signs = there.some((one) => (one.secretVariable ?? null) === secretVariable);
    return signs ? null : `its run signs reports to ${url} by another variable`;
  }
  return 'its run is not in the log';
}

/**
 * Why a report must not be sent: the tree of its run does not verify over a connection of its own, or the run's events
 * say something else, or report to another address. Null: it may be sent. Of a run whose loop is not known here, only
 * the tree is verified, and the address compared.
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
      return fault ? refused(fault.reason) : addressRefusal(found, report);
    });
  } catch (error) {
    return refused(error instanceof Error ? error.message : String(error));
  }
}

const refused = (reason: string): string => `not sent, see \`loopfold check\`: ${reason}`;
