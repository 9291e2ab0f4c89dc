import type { EventOf } from '../../machines/events.ts';
import { LIMIT_NEAR, nearing, nearText } from '../budget/near.ts';
import { usedBy } from './affordability.ts';
import type { RunContext } from '../kernel/effect-handlers.ts';
import { lifeOf } from '../kernel/fold.ts';
import type { JudgeMemory } from './judge-memory.ts';

/** The warning of the next limit that is near and has raised none yet. */
export function warningOf(
  { state, at }: RunContext,
  { warnedOf, loop }: JudgeMemory,
): EventOf<'warning.raised'> | null {
  const life = lifeOf(state);
  const limit = nearing(life.limits, usedBy(life, at, loop.rounds)).find(({ name }) => !warnedOf.has(name));
  return limit ? { type: 'warning.raised', payload: { code: LIMIT_NEAR, message: nearText(limit), limit } } : null;
}
