import type { LocalEffect } from '../effects/local-effect.ts';
import { removeExperiments } from '../isolation/experiment-worktree.ts';

/**
 * The same effect, after which the worktree of an experiment that was refused is gone: what it had left was captured.
 * What cannot be removed now the next preparation removes, or `gc`.
 */
export const removingRefused = ({ execute, ...effect }: LocalEffect): LocalEffect => ({
  ...effect,
  execute: (request) => {
    const execution = execute?.(request);
    if (execution?.kind !== 'actor') throw new TypeError(`${request.effect.actor} is executed by no actor`);
    const { run, settings } = request.context;
    return {
      ...execution,
      async *execute(call) {
        for await (const event of execution.execute(call)) {
          const isRefused = event.type === 'evaluation.completed' && !event.payload.passed;
          if (isRefused && settings.isolation) await removeExperiments(run, settings.isolation).catch(() => {});
          yield event;
        }
      },
    };
  },
});
