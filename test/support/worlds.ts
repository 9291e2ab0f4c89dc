import type { LoopEvent } from '../../machines/events.ts';
import type { RunSettings } from '../../machines/settings.ts';
import { lifeOf, type RunState } from '../../src/runtime/fold.ts';
import type { World } from '../../src/testing/world.ts';
import { answersTo, remarks } from './answers.ts';
import { iterationStarted, started, stepStarted } from './facts.ts';
import { everything } from './wander.ts';

/** The worlds of the loops that ship. */
export const worlds: Readonly<Record<RunSettings['loop'], World>> = { turn: worldOf('turn'), iteration: worldOf('iteration') };

function worldOf(loop: RunSettings['loop']): World {
  return {
    openings: {
      checked: started(loop, { checks: true }),
      unchecked: started(loop),
      'one answer': started(loop, { limits: { maxSteps: 0 } }),
      short: started(loop, { checks: true, limits: { maxSteps: 2, maxIterations: 1, maxToolCalls: 4 } }),
    },
    answers: (effect, state) => answersTo(effect, Math.max(0, lifeOf(state).spend.steps - 1)),
    follows: begins,
    remarks,
    noise: everything,
  };
}

/** A decision to go on is followed by what it starts. */
function begins(event: LoopEvent, state: RunState): LoopEvent | null {
  if (event.type !== 'decision.made' || event.payload.action !== 'continue') return null;
  const { iterations, steps } = state.snapshot.context;
  return iterations === undefined ? stepStarted(steps) : iterationStarted(iterations);
}
