import type { Life } from '../../machines/life.ts';
import { keptUsage } from '../budget/allowance.ts';
import { lifeOf, type Outstanding, type RunState } from '../kernel/fold.ts';
import { interruption } from '../kernel/interruption.ts';
import { type LoopDefinition, specOf } from '../kernel/loop-definition.ts';
import type { RunMessage } from '../kernel/run-message.ts';
import type { RunScope } from '../kernel/react.ts';

const LOST = 'the process that ran it is gone';
/** It was stopped when the run was paused: what is withdrawn after a resumption was not lost. */
const PAUSED = 'the run was paused, and has been resumed';

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
    // It has never started: the dispatcher starts it when there is room, or ends it.
    if (left.outstanding.some(({ effect, queued }) => effect === one.effect && queued)) continue;
    const life = left.paused ? null : lifeOf(now());
    const why = { reason: left.paused ? PAUSED : LOST, life };
    const event = one.told ? interrupted(one, why, scope.loop) : await recovered(scope, now(), one, why);
    if (event) yield { event, causation: one.effect };
  }
}

/** Why an effect has no result, and what may have been used meanwhile. */
interface Why {
  readonly reason: string;
  readonly life: Life | null;
}

const interrupted = (one: Outstanding, { reason, life }: Why, loop: LoopDefinition) =>
  specOf(one, loop).class === 'child' ? null : interruption(one, reason, life, loop);

async function recovered(
  { run, settings, handlers, loop }: RunScope,
  state: RunState,
  one: Outstanding,
  { reason, life }: Why,
) {
  // It will be started again; but its reservation counts as used, and is recorded for that.
  if (specOf(one, loop).spends && life && keptUsage(life, one.key)) return interruption(one, reason, life, loop);
  const execution = handlers.execute(one, { run, settings, state, at: state.at });
  if (execution.kind === 'child' || execution.effectClass === 'repeatable') return null;
  if (execution.effectClass === 'once' || !execution.reconcile) return interruption(one, reason, null, loop);
  const { signal } = new AbortController();
  return execution.reconcile({ id: `${run}/${one.effect}`, attempt: one.attempt, signal, delta: () => {} });
}
