import type { AnyEvent } from '../../../machines/events.ts';
import type { RalphContext } from '../../../machines/ralph.machine.ts';
import { mostIterations, nextMaximum } from '../../../machines/ralph-numbers.ts';
import type { RunContext } from '../../kernel/effect-handlers.ts';
import type { RunMemory } from '../../kernel/loop-memory.ts';
import type { RalphMemory } from './memory.ts';

/** In how many of the last iterations more checks must have passed than in the one before. */
const LOOKS_BACK = 2;

/** The maximum is reached: it grows where the number of passed checks has risen lately. Pure, and recorded. */
export function weighMaximum({ state }: RunContext, { own }: RunMemory): AnyEvent {
  const context = state.snapshot.context as RalphContext;
  const from = mostIterations(context);
  const rise = newestRise((own as RalphMemory).passed);
  if (rise === null)
    return { type: 'maximum.held', payload: { because: `no more checks passed in the last ${LOOKS_BACK} iterations` } };
  const because = `${rise.to} checks passed, after ${rise.from}`;
  return { type: 'maximum.raised', payload: { from, to: nextMaximum(context), because } };
}

/** The newest rise in the last iterations. Where no checks ran, nothing is known to have risen. */
function newestRise(passed: readonly (number | null)[]): { readonly from: number; readonly to: number } | null {
  const pairs = passed.slice(1).map((to, index) => ({ from: passed[index] ?? null, to }));
  for (const { from, to } of pairs.slice(-LOOKS_BACK).toReversed())
    if (from !== null && to !== null && to > from) return { from, to };
  return null;
}
