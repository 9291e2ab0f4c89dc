import type { EffectWork } from '../../shared/effect.ts';
import { placesOf, removeExperiments } from './experiment-worktree.ts';
import { memoryOf } from './improvement-request.ts';

/**
 * The same effect, after which the worktree of an experiment that was refused is gone: what it had left was captured.
 * What cannot be removed now the next preparation removes, or `gc`.
 */
export const removingRefused = ({ execute, ...effect }: EffectWork): EffectWork => ({
  ...effect,
  execute: (request) => {
    const execution = execute?.(request);
    if (execution?.kind !== 'actor') throw new TypeError(`${request.effect.actor} is executed by no actor`);
    const { run, settings } = request.context;
    const { experiments } = memoryOf(request);
    return {
      ...execution,
      async *execute(call) {
        for await (const event of execution.execute(call)) {
          const isRefused = event.type === 'evaluation.completed' && !event.payload.passed;
          if (isRefused && settings.isolation) {
            const others = experiments.all().filter(({ candidate }) => candidate !== event.payload.candidate);
            const kept = placesOf(others, run, settings.isolation);
            await removeExperiments(run, settings.isolation, kept).catch(() => {});
          }
          yield event;
        }
      },
    };
  },
});
