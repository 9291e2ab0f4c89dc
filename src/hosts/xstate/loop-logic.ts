import type { ActorLogic, AnyActorRef } from 'xstate';
import { v7 as uuidv7 } from 'uuid';
import { Loops } from '../local/local-host.ts';
import type { LoopsOptions } from '../local/loops-options.ts';
import { type InspectedChart, inspectedChart } from './chart-inspection.ts';
import { RunConnection } from './run-connection.ts';
import {
  type LoopCommand,
  type LoopEmitted,
  type LoopNotice,
  asData,
  fromData,
  type LoopInput,
  type LoopSnapshot,
  initialSnapshot,
} from './loop-snapshot.ts';
import { type AnySystem, type LoopScope, transition } from './transition.ts';

/** Any loop as ordinary XState actor logic, with two functions for its host. */
export interface LoopLogic extends ActorLogic<
  LoopSnapshot,
  LoopCommand | LoopNotice,
  LoopInput,
  AnySystem,
  LoopEmitted
> {
  /** The charts of its loops, where Stately's inspector looks for one. */
  readonly config: InspectedChart;
  /**
   * Resolves when this process has nothing more to do with a run, or with any run: it has ended, an aborted one after
   * its grace, or another process owns it.
   */
  readonly settled: (run?: string) => Promise<void>;
  /**
   * Pauses every run of this process, so that a later process can resume them, and resolves when they are paused.
   * Actors that are stopped after this do not abort their runs.
   */
  readonly shutDown: () => Promise<void>;
}

/**
 * Loops as actor logic, to `invoke` or to `spawn`: an actor is one run of these loops, recorded in their log.
 *
 * Its input is the options of the run, its output how the run ended, whatever the ending. A stopped actor aborts its
 * run. A restored one resumes it, in this process or another, and repeats no effect that was done.
 *
 * @example
 * const agent = loopLogic({ log: memoryLog(), model: scriptedModel({ answers: [{ text: 'done' }] }) });
 * const actor = createActor(agent, { input: { prompt: 'Say that it is done.', loop: 'turn' } }).start();
 * const { outcome, answer } = await toPromise(actor);
 */
export function loopLogic(loops: Loops | LoopsOptions): LoopLogic {
  const composed = loops instanceof Loops ? loops : new Loops(loops);
  const connections = new Map<AnyActorRef, RunConnection>();
  const connectionOf = (scope: LoopScope) => connections.get(scope.self);
  const all = (run?: string) => [...connections.values()].filter((one) => run === undefined || one.run === run);

  return {
    config: inspectedChart(composed.definitions),
    // A missing input is refused by `start`, with its own message.
    getInitialSnapshot: (_scope, input: LoopInput | undefined) => {
      const { runId = uuidv7(), ...options } = input ?? ({} as LoopInput);
      return initialSnapshot(runId, options);
    },
    transition: (snapshot, event, scope) =>
      transition(snapshot, event, scope, {
        command: (command) => connectionOf(scope)?.command(command),
        stop: () => connectionOf(scope)?.stop(),
      }),
    start: ({ status, context }, { self }) => {
      if (status !== 'active') return;
      const tell = (notice: LoopNotice) => {
        if (self.getSnapshot().status === 'active') self.send(notice);
      };
      const connection = new RunConnection(composed, context, tell);
      connections.set(self, connection);
      void connection.over.then(() => connections.delete(self));
    },
    getPersistedSnapshot: asData,
    restoreSnapshot: fromData,
    settled: async (run) => {
      await Promise.all(all(run).map(({ over }) => over));
    },
    shutDown: async () => {
      // A parent may start its next loop while the one before is being paused.
      for (let left = all(); left.length > 0; left = all()) {
        for (const connection of left) connection.shutDown();
        await Promise.all(left.map(({ over }) => over));
      }
    },
  };
}
