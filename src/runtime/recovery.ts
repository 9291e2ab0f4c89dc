import type { Life } from '../../machines/life.ts';
import { keptUsage } from '../budget/allowance.ts';
import { lifeOf, type Outstanding, type RunState } from './fold.ts';
import { interruption } from './interruption.ts';
import { type LoopDefinition, specOf } from './loop-definition.ts';
import type { Letter } from './mailbox.ts';
import type { Stage } from './react.ts';

const LOST = 'the process that ran it is gone';

/**
 * What is to be recorded about effects that a dead process left behind, by their class, before anything starts again: `left` is
 * the run as it was found. A child that was told to stop is left out: it is a run of its own and says itself how it ended. A run
 * that was paused had nothing under way that could have used anything.
 */
export async function* recovery(stage: Stage, left: RunState, now: () => RunState): AsyncIterable<Letter> {
  const isIn = (state: RunState, one: Outstanding) => state.outstanding.some(({ effect }) => effect === one.effect);
  for (const one of now().outstanding) {
    // What the first fact of this process has begun was nobody's before.
    if (!isIn(left, one) || !isIn(now(), one)) continue;
    const life = left.paused ? null : lifeOf(now());
    const event = one.told ? lastWord(one, life, stage.loop) : await verdict(stage, now(), one, life);
    if (event) yield { event, causation: one.effect };
  }
}

const lastWord = (one: Outstanding, life: Life | null, loop: LoopDefinition) =>
  specOf(one, loop).class === 'child' ? null : interruption(one, LOST, life, loop);

async function verdict({ run, settings, cast, loop }: Stage, state: RunState, one: Outstanding, life: Life | null) {
  // It is asked again; but what it was to use counts, and is recorded for that.
  if (specOf(one, loop).spends && life && keptUsage(life, one.key)) return interruption(one, LOST, life, loop);
  const performance = cast.perform(one, { run, settings, state, at: state.at });
  if (performance.kind === 'child' || performance.effectClass === 'repeatable') return null;
  if (performance.effectClass === 'once' || !performance.reconcile) return interruption(one, LOST, null, loop);
  const { signal } = new AbortController();
  return performance.reconcile({ id: `${run}/${one.effect}`, attempt: one.attempt, signal, delta: () => {} });
}
