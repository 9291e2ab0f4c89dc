import type { LoopEvent, EventOf } from '../../machines/events.ts';
import type { Life } from '../../machines/life.ts';
import { keptUsage } from '../budget/allowance.ts';
import type { Execution } from '../kernel/effect-handlers.ts';
import { lifeOf, type Outstanding, type RunState } from '../kernel/fold.ts';
import { interruption, type RunMessage } from '../kernel/run-message.ts';
import { specOf, type LoopDefinition } from '../kernel/loop-definition.ts';
import type { RunScope } from '../kernel/react.ts';
import { environmentFault } from '../log/environment-fault.ts';
import { handlerFault } from './handler-fault.ts';
import { queues } from '../kernel/queue.ts';
import type { PausedBy } from './run-end.ts';

/** A run that is told to pause. */
interface Paused {
  readonly state: RunState;
  readonly loop: LoopDefinition;
}

/**
 * The pause of a run as it is when it is recorded. An answer may have come after the run was told to leave because it
 * waits: then it is one by a signal, and a host that keeps the run resumes it.
 */
export function pauseAsItIs(message: RunMessage, run: Paused): RunMessage {
  const { event } = message;
  if (event.type !== 'run.paused' || event.payload.by !== 'waiting' || !hasWork(run)) return message;
  return { ...message, event: { ...event, payload: { ...event.payload, by: 'signal' } } };
}

/** Whether a run owes more than answers of people and work of runs below it. */
const hasWork = ({ state, loop }: Paused): boolean =>
  Object.entries(lifeOf(state).pending).some(
    ([key, how]) =>
      how !== 'asked' && !state.outstanding.some((one) => one.key === key && specOf(one, loop).class === 'child'),
  );

/** The effects that were queued when a pause began. Places that its interruptions free are taken by none. */
export const notBegun = (state: RunState, begun: ReadonlySet<string>): readonly Outstanding[] =>
  state.outstanding.filter(({ actor, effect }) => queues(actor, state) && !begun.has(effect));

export const pausedPayload = (
  by: PausedBy,
  isFinished: boolean,
  queued: readonly Outstanding[],
  reason?: string,
): EventOf<'run.paused'>['payload'] => ({
  by,
  ...(reason === undefined ? {} : { reason }),
  ...(isFinished ? {} : { unfinished: true }),
  ...(queued.length === 0 ? {} : { queued: queued.map(({ effect }) => effect) }),
});

/** The effects that could not be started: they have done nothing. */
export const notStarted = (state: RunState, effects: ReadonlySet<string>): readonly Outstanding[] =>
  state.outstanding.filter(({ actor, effect }) => queues(actor, state) && effects.has(effect));

/** The interruptions of what a pause has stopped, where an abort has won over it. A child records its own end. */
export const stoppedIn = (state: RunState, loop: LoopDefinition): RunMessage[] =>
  state.outstanding.flatMap((one) => {
    if (!one.told || one.queued || specOf(one, loop).class === 'child') return [];
    const event = interruption(one, 'it was told to stop', lifeOf(state), loop);
    return event ? [{ event, causation: one.effect }] : [];
  });

const LOST = 'the process that ran it is gone';
/** It was stopped when the run was paused: what is withdrawn after a resumption was not lost. */
const PAUSED = 'the run was paused, and has been resumed';

/**
 * The events to record about effects that a dead process left outstanding, by their class, before anything starts
 * again. `left`: the run as it was found. A cancelling child is left out: it is a run of its own and records its own
 * end. A paused run had no effect running, so nothing can have been used.
 */
export async function* recovery(scope: RunScope, left: RunState, now: () => RunState): AsyncIterable<RunMessage> {
  for (const one of now().outstanding) {
    const event = await recoveryOf(scope, left, now(), one);
    if (event) yield { event, causation: one.effect };
  }
}

/** The event to record about one of them. Null: it is started again, or has never started. */
export async function recoveryOf(
  scope: RunScope,
  left: RunState,
  state: RunState,
  one: Outstanding,
): Promise<LoopEvent | null> {
  const isIn = ({ outstanding }: RunState) => outstanding.some(({ effect }) => effect === one.effect);
  // An effect that this process's first fact has asked for cannot have been lost.
  if (!isIn(left) || !isIn(state)) return null;
  // It has never started: the dispatcher starts it when there is room, or ends it.
  if (left.outstanding.some(({ effect, queued }) => effect === one.effect && queued)) return null;
  const why = { reason: left.paused ? PAUSED : LOST, life: left.paused ? null : lifeOf(state) };
  return (one.told ? cancelled : recovered)(scope, state, one, why);
}

/** The event to record about an effect that a process has begun, and was lost with. Null: it is started again. */
export const recoveryOfLost = (scope: RunScope, state: RunState, one: Outstanding): Promise<LoopEvent | null> =>
  recovered(scope, state, one, { reason: LOST, life: lifeOf(state) });

/** Why an effect has no result, and what may have been used meanwhile. */
interface Why {
  readonly reason: string;
  readonly life: Life | null;
}

/** It is not started again; where it can be asked whether it has happened, and it has, that is its result. */
async function cancelled(scope: RunScope, state: RunState, one: Outstanding, { reason, life }: Why) {
  const { loop } = scope;
  if (specOf(one, loop).class === 'child') return null;
  try {
    return (await askedWhether(executionOf(scope, state, one), scope, one)) ?? interruption(one, reason, life, loop);
  } catch (error) {
    // Whatever keeps it from being asked, the run can end.
    const fault = environmentFault(error)?.message ?? handlerFault(error, one, loop);
    return interruption(one, `${reason}; whether it happened is unknown: ${fault}`, life, loop);
  }
}

async function recovered(scope: RunScope, state: RunState, one: Outstanding, { reason, life }: Why) {
  const { loop } = scope;
  // It will be started again; but its reservation counts as used, and is recorded for that.
  if (specOf(one, loop).spends && life && keptUsage(life, one.key)) return interruption(one, reason, life, loop);
  const execution = executionOf(scope, state, one);
  if (execution.kind === 'child' || execution.effectClass === 'repeatable') return null;
  if (execution.effectClass === 'once' || !execution.reconcile) return interruption(one, reason, null, loop);
  return askedWhether(execution, scope, one);
}

const executionOf = ({ run, settings, handlers }: RunScope, state: RunState, one: Outstanding) =>
  handlers.execute(one, { run, settings, state, at: state.at });

/** The result of an effect that has happened. Null: it has not, or cannot be asked. */
async function askedWhether(execution: Execution, { run }: RunScope, one: Outstanding): Promise<LoopEvent | null> {
  if (execution.kind === 'child' || !execution.reconcile) return null;
  const { signal } = new AbortController();
  return execution.reconcile({ id: `${run}/${one.effect}`, attempt: one.attempt, signal, delta: () => {} });
}
