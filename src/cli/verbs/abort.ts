import { lastValueFrom, takeUntil, timer } from 'rxjs';
import { endingName, plain } from '../../projections/phrases.ts';
import { DEFAULT_GRACE_MS } from '../../options/defaults.ts';
import { Complaint, usage } from '../pages/complaint.ts';
import { EXIT } from '../terminal/exit-status.ts';
import { heldElsewhere } from '../pages/refusal-text.ts';
import { findRun, type RunReference, shortId } from '../args/find-run.ts';
import { findSubmission } from '../args/find-submission.ts';
import type { QueueStore } from '../../log/queue-store.ts';
import type { Session } from '../session.ts';
import { summarise } from '../../projections/read-summary.ts';

/** Longer than a run's grace for the last results of its effects. */
const END_WAIT_MS = 3 * DEFAULT_GRACE_MS;

/** Ends a run, in the process that owns it or here, and waits until it has ended. */
export async function abort(
  session: Session,
  reference: RunReference,
  { reason }: { readonly reason?: string },
): Promise<number> {
  const loops = await session.loops('write', { runs: [reference], otherwise: 'refuse', unlessOwned: true });
  const found = await findRun(loops.log, reference).catch(async (error: unknown) => {
    const withdrawn = await withdraw(loops.log, reference);
    if (withdrawn === null) throw error;
    session.streams.err.line(`run ${withdrawn} was withdrawn before a worker began with it`);
    return null;
  });
  if (!found) return 0;
  const { run } = found;
  const sent = await loops.abort(run, reason);
  const next = ['show', shortId(run)];
  if (sent.kind === 'unknown_run') throw usage('RUN', 'the id of a run in this log', `'${run}'`, ['runs']);
  if (sent.kind === 'held') throw heldElsewhere(run, sent.reason);
  if (sent.kind === 'rejected') throw new Complaint(EXIT.usage, `run ${run}: ${plain(sent.reason)}`, next);
  await lastValueFrom(loops.events(run).pipe(takeUntil(timer(END_WAIT_MS))), { defaultValue: null });
  // The loop of a run that another process owns may not be at hand here: its decisions can be read all the same.
  const { summary } = await summarise(loops.log, run, loops.definitions);
  const how = summary?.ending
    ? `has ended: ${endingName(summary.ending.outcome)}`
    : 'was told to end, and is still stopping';
  session.streams.err.line(`run ${run} ${how}`);
  session.streams.err.line(`next  ${session.again(next)}`);
  await loops.log.close();
  return 0;
}

/** A run that was submitted, and that no worker has begun with, is taken back. Null: there is none. */
async function withdraw(log: QueueStore, { run: named }: RunReference): Promise<string | null> {
  const found = named === undefined ? null : await findSubmission(log, named);
  return found && (await log.withdraw(found.run)) ? found.run : null;
}
