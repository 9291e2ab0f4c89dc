import type { EventOf } from '../../machines/events.ts';
import { LIMIT_NEAR, nearing, nearText } from '../budget/near.ts';
import { usedBy } from './affordable.ts';
import type { Situation } from './cast.ts';
import { lifeOf } from './fold.ts';
import type { JudgeMemory } from './judge-memory.ts';

/** The next limit that is near, and of which nobody was told. */
export function warningOf({ state, at }: Situation, { warnedOf, loop }: JudgeMemory): EventOf<'warning.raised'> | null {
  const life = lifeOf(state);
  const limit = nearing(life.limits, usedBy(life, at, loop.rounds)).find(({ name }) => !warnedOf.has(name));
  return limit ? { type: 'warning.raised', payload: { code: LIMIT_NEAR, message: nearText(limit), limit } } : null;
}
