import type { EventOf, LoopEvent, Remade } from '../../machines/events.ts';
import { PROGRAM } from '../log/program-version.ts';

export const STOPPED_BY_PARENT: EventOf<'abort.requested'> = {
  type: 'abort.requested',
  payload: { cause: 'parent', reason: 'the run it belongs to is stopping' },
};

/** The first fact of a process that resumes a child: `run.resumed`, or an abort where its parent is stopping. */
export const resumedOrStopped = (
  idleSince: string,
  now: number,
  signal: AbortSignal,
  remade: Remade | null,
): LoopEvent => (signal.aborted ? STOPPED_BY_PARENT : resumed(idleSince, now, remade));

/** No wall-clock limit counts the idle span until now. */
export const resumed = (idleSince: string, now: number, remade: Remade | null = null): EventOf<'run.resumed'> => ({
  type: 'run.resumed',
  payload: {
    idleMs: Math.max(0, now - Date.parse(idleSince)),
    program: PROGRAM,
    ...(remade === null ? {} : { remade }),
  },
});

/** The later of two times (RFC 3339, UTC). */
export const later = (one: string, other: string): string => (one > other ? one : other);
