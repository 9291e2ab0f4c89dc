import type { Outstanding, RunState } from './fold.ts';
import { interruption } from './interruption.ts';
import type { Letter } from './mailbox.ts';
import type { Stage } from './react.ts';

const LOST = 'the process that ran it is gone';

/**
 * What is to be recorded about effects that a dead process left behind, by their class, before anything starts again.
 * A child that was told to stop is left out: it is a run of its own and says itself how it ended.
 */
export async function* recovery(stage: Stage, now: () => RunState): AsyncIterable<Letter> {
  for (const one of now().outstanding) {
    if (!now().outstanding.some(({ effect }) => effect === one.effect)) continue;
    const event = one.told ? lastWord(one) : await verdict(stage, now(), one);
    if (event) yield { event, causation: one.effect };
  }
}

const lastWord = (one: Outstanding) => (one.actor === 'runAgent' ? null : interruption(one, LOST));

async function verdict({ run, settings, cast }: Stage, state: RunState, one: Outstanding) {
  const performance = cast.perform(one, { run, settings, state, at: state.at });
  if (performance.kind === 'child' || performance.effectClass === 'repeatable') return null;
  if (performance.effectClass === 'once' || !performance.reconcile) return interruption(one, LOST);
  const { signal } = new AbortController();
  return performance.reconcile({ id: `${run}/${one.effect}`, attempt: one.attempt, signal, delta: () => {} });
}
