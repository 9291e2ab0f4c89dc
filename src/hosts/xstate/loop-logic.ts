import type { ActorLogic, AnyActorRef } from 'xstate';
import { v7 as uuidv7 } from 'uuid';
import { Loops, type LoopsOptions } from '../local/loops.ts';
import { Attendance } from './attendance.ts';
import type { LoopCommand, LoopEmitted, LoopNotice } from './loop-events.ts';
import { asData, fromData, type LoopInput, type LoopSnapshot, unborn } from './loop-snapshot.ts';
import { type AnySystem, type LoopScope, transition } from './transition.ts';

/** Any loop as ordinary XState actor logic, and what its host needs beside. */
export interface LoopLogic extends ActorLogic<LoopSnapshot, LoopCommand | LoopNotice, LoopInput, AnySystem, LoopEmitted> {
  /**
   * Resolves when this process has nothing more to do with a run, or with any: it has ended, aborted ones with their
   * grace, or it was left to others.
   */
  readonly settled: (run?: string) => Promise<void>;
  /**
   * Pauses every run that this process serves, so that a later one can go on with it, and resolves when they are.
   * Actors that are stopped after this leave their runs alone.
   */
  readonly shutDown: () => Promise<void>;
}

/**
 * Loops as actor logic, to `invoke` or to `spawn`: an actor is one run of these loops, recorded in their log.
 *
 * Its input is the options of the run, its output how the run ended, whatever the ending. A stopped actor aborts its run.
 * A restored one goes on with it, in this process or another, and repeats nothing that was done.
 *
 * @example
 * const agent = loopLogic({ log: memoryLog(), model: scriptedModel({ answers: [{ text: 'done' }] }) });
 * const actor = createActor(agent, { input: { prompt: 'Say that it is done.', loop: 'turn' } }).start();
 * const { outcome, answer } = await toPromise(actor);
 */
export function loopLogic(loops: Loops | LoopsOptions): LoopLogic {
  const composed = loops instanceof Loops ? loops : new Loops(loops);
  const attendances = new Map<AnyActorRef, Attendance>();
  const attendanceOf = (scope: LoopScope) => attendances.get(scope.self);
  const all = (run?: string) => [...attendances.values()].filter((one) => run === undefined || one.run === run);

  return {
    // An input that was forgotten is refused by `start`, in its own words.
    getInitialSnapshot: (_scope, input: LoopInput | undefined) => {
      const { runId = uuidv7(), ...options } = input ?? ({} as LoopInput);
      return unborn(runId, options);
    },
    transition: (snapshot, event, scope) =>
      transition(snapshot, event, scope, {
        command: (command) => attendanceOf(scope)?.command(command),
        stop: () => attendanceOf(scope)?.stop(),
      }),
    start: ({ status, context }, { self }) => {
      if (status !== 'active') return;
      const tell = (notice: LoopNotice) => {
        if (self.getSnapshot().status === 'active') self.send(notice);
      };
      const attendance = new Attendance(composed, context, tell);
      attendances.set(self, attendance);
      void attendance.over.then(() => attendances.delete(self));
    },
    getPersistedSnapshot: asData,
    restoreSnapshot: fromData,
    settled: async (run) => {
      await Promise.all(all(run).map(({ over }) => over));
    },
    shutDown: async () => {
      // A parent may go on to its next loop while the one before is being paused.
      for (let left = all(); left.length > 0; left = all()) {
        for (const attendance of left) attendance.shutDown();
        await Promise.all(left.map(({ over }) => over));
      }
    },
  };
}
