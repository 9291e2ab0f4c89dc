import type { EventOf } from '../../machines/events.ts';
import { lifeOf, type Outstanding, type RunState } from '../kernel/fold.ts';
import { interruption } from '../kernel/interruption.ts';
import { type LoopDefinition, specOf } from '../kernel/loop-definition.ts';
import type { RunMessage } from '../kernel/run-message.ts';
import { queues } from '../kernel/queue.ts';
import type { PausedBy } from './run-end.ts';

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
