import type { Reservation, Share, TurnEvent } from '../../../machines/events.ts';
import type { Spend } from '../../../machines/outcome.ts';
import { isLimited, leftFor, reservationFor } from '../../budget/allowance.ts';
import type { RunContext } from '../../kernel/effect-handlers.ts';
import { lifeOf } from '../../kernel/fold.ts';
import type { RunMemory } from '../../kernel/loop-memory.ts';

/** The steps and calls that an event of a turn uses up. */
export function spend({ type, payload }: TurnEvent): Partial<Spend> {
  if (type === 'step.started') return { steps: 1 };
  return type === 'calls.admitted' ? { toolCalls: payload.run.length } : {};
}

/** The reservations of a step or of admitted calls, by the key of the effect that may use them. */
export function setsAside({ type, payload }: TurnEvent): Readonly<Record<string, Share | Reservation>> {
  if (type === 'step.started') return payload.reserved ? { model: payload.reserved } : {};
  if (type !== 'calls.admitted') return {};
  return Object.fromEntries(payload.run.flatMap(({ callId, share }) => (share ? [[`call.${callId}`, share]] : [])));
}

/** The expected use of the next answer, where tokens or money are limited. */
export function reserve({ state }: RunContext, { next }: RunMemory): Share | Reservation | null {
  const left = leftFor(lifeOf(state), 'model');
  return isLimited(left) ? reservationFor(left, next) : null;
}
