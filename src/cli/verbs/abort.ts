import { lastValueFrom, takeUntil, timer } from 'rxjs';
import { endingName } from '../../projections/wording.ts';
import { DEFAULT_GRACE_MS } from '../../config/defaults.ts';
import { usage } from '../complaint.ts';
import { findRun, type RunReference, shortId } from '../find-run.ts';
import type { Session } from '../session.ts';
import { summaryOf } from '../summary-of.ts';

/** Longer than a run waits for the last results of what it told to stop. */
const END_WAIT_MS = 3 * DEFAULT_GRACE_MS;

/** Ends a run, whoever serves it, and waits until it has ended. */
export async function abort(
  session: Session,
  reference: RunReference,
  { reason }: { readonly reason?: string },
): Promise<number> {
  const loops = await session.loops('write', { runs: [reference], otherwise: 'refuse' });
  const { run } = await findRun(loops.log, reference);
  const sent = await loops.abort(run, reason);
  const next = ['show', shortId(run)];
  if (sent.kind === 'unknown_run') throw usage('RUN', 'the id of a run in this log', `'${run}'`, ['runs']);
  if (sent.kind === 'rejected') {
    const { closed = null } = (await loops.log.run(run)) ?? {};
    throw usage('RUN', 'a run that is open', closed === null ? sent.reason : `one that has ended (${closed})`, next);
  }
  await lastValueFrom(loops.events(run).pipe(takeUntil(timer(END_WAIT_MS))), { defaultValue: null });
  const { ending } = await summaryOf(loops.log, run, loops.definitions);
  const how = ending ? `has ended: ${endingName(ending.outcome)}` : 'was told to end, and is still busy with it';
  session.streams.err.line(`run ${run} ${how}`);
  session.streams.err.line(`next  ${session.again(next)}`);
  await loops.log.close();
  return 0;
}
