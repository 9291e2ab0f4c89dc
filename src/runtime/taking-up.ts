import type { EventOf, LoopEvent } from '../../machines/events.ts';
import { PROGRAM } from '../log/program.ts';

export const STOPPED_BY_PARENT: EventOf<'abort.requested'> = {
  type: 'abort.requested',
  payload: { cause: 'parent', reason: 'the run it belongs to is stopping' },
};

/** The first fact of a process that takes a child up again; of a child that is stopped meanwhile, that it is. */
export const takenUp = (idleSince: string, now: number, signal: AbortSignal): LoopEvent =>
  signal.aborted ? STOPPED_BY_PARENT : resumed(idleSince, now);

/** The dead span until now is left out of every wall-clock limit. */
export const resumed = (idleSince: string, now: number): EventOf<'run.resumed'> => ({
  type: 'run.resumed',
  payload: { idleMs: Math.max(0, now - Date.parse(idleSince)), program: PROGRAM },
});
