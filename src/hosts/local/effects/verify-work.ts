import { lifeOf } from '../../../kernel/fold.ts';
import type { ActorServices } from '../services/actor-services.ts';
import { actorExecution } from './execution.ts';
import type { LocalEffect } from './local-effect.ts';

/** Runs the checks of the run over its captured workspace, unless its strategy wants none. */
export const verifyWork = ({ verify }: Pick<ActorServices, 'verify'>): LocalEffect => ({
  execute: ({ context: { settings, state }, memory, strategy }) => {
    const { directory, environment = [], checks, ci } = settings;
    return actorExecution(verify, {
      checks: strategy.skipsVerification ? [] : checks,
      // Only strategies read the CI status.
      ci: memory.loop.strategyInput ? (ci ?? null) : null,
      directory,
      environment,
      workspace: lifeOf(state).workspace,
    });
  },
});
