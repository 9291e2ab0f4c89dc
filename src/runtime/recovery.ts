import type { Life } from '../../machines/life.ts';
import { keptUsage } from '../budget/allowance.ts';
import { lifeOf, type Outstanding, type RunState } from '../kernel/fold.ts';
import { interruption } from '../kernel/interruption.ts';
import { type LoopDefinition, specOf } from '../kernel/loop-definition.ts';
import type { RunMessage } from '../kernel/run-message.ts';
import type { RunScope } from '../kernel/react.ts';

const LOST = 'the process that ran it is gone';

/**
 * The events to record about effects that a dead process left outstanding, by their class, before anything starts
 * again. `left`: the run as it was found. A cancelling child is left out: it is a run of its own and records its own
 * end. A paused run had no effect running, so nothing can have been used.
 */
export async function* recovery(scope: RunScope, left: RunState, now: () => RunState): AsyncIterable<RunMessage> {
  const isIn = (state: RunState, one: Outstanding) => state.outstanding.some(({ effect }) => effect === one.effect);
  for (const one of now().outstanding) {
    // An effect that this process's first fact has asked for cannot have been lost.
    if (!isIn(left, one) || !isIn(now(), one)) continue;
    const life = left.paused ? null : lifeOf(now());
    const event = one.told ? interrupted(one, life, scope.loop) : await recovered(scope, now(), one, life);
    if (event) yield { event, causation: one.effect };
  }
}

const interrupted = (one: Outstanding, life: Life | null, loop: LoopDefinition) =>
  specOf(one, loop).class === 'child' ? null : interruption(one, LOST, life, loop);

async function recovered(
  { run, settings, handlers, loop }: RunScope,
  state: RunState,
  one: Outstanding,
  life: Life | null,
) {
  // It will be started again; but its reservation counts as used, and is recorded for that.
  if (specOf(one, loop).spends && life && keptUsage(life, one.key)) return interruption(one, LOST, life, loop);
  const execution = handlers.execute(one, { run, settings, state, at: state.at });
  if (execution.kind === 'child' || execution.effectClass === 'repeatable') return null;
  if (execution.effectClass === 'once' || !execution.reconcile) return interruption(one, LOST, null, loop);
  const { signal } = new AbortController();
  return execution.reconcile({ id: `${run}/${one.effect}`, attempt: one.attempt, signal, delta: () => {} });
}
