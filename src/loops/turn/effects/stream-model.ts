import type { Life } from '../../../../machines/life.ts';
import type { ModelInput } from '../../../actors/model/model-actor.ts';
import { isLimited, leftFor } from '../../../budget/allowance.ts';
import { listeningDetector } from '../../../detectors/chant.ts';
import type { JudgeMemory } from '../../../judging/judge-memory.ts';
import { lifeOf } from '../../../kernel/fold.ts';
import { type Guard, inWorktree } from '../../shared/effects/in-worktree.ts';
import { actorExecution } from '../../shared/effects/execution.ts';
import type { Effect, EffectWork } from '../../shared/effect.ts';
import { agentInput } from './agent-input.ts';
import type { TurnMemory } from '../memory.ts';
import { roomIn, turnRequest } from './turn-request.ts';
import type { RunWorkspaces } from '../../../ports/run-workspaces.ts';
import type { EffectServices } from '../../../ports/services.ts';

type Streaming = Pick<EffectServices, 'agent' | 'model' | 'priceOf' | 'sandboxes' | 'toolSpecs' | 'workspaces'>;

/**
 * Asks the run's model, or the one that has replaced it, for the next answer of the conversation; or has an agent of
 * others do all the work that the answer would begin.
 */
const streamModel = ({ agent, model, ...services }: Streaming): EffectWork =>
  inWorktree(({ context, memory }) => {
    const { settings, state } = context;
    const { replacement, tries } = memory;
    const worker = agent(settings.model);
    const { toolSpecs } = services;
    if (worker) {
      const request = turnRequest(context, memory, toolSpecs);
      return actorExecution(worker, agentInput(context, request, memory.judge.own as TurnMemory, services));
    }
    const listener = listeningDetector(memory.judge.detectors)?.listener;
    return actorExecution(model(replacement ?? settings.model, replacement ? null : (settings.fallbackModel ?? null)), {
      request: turnRequest(context, memory, toolSpecs),
      tries,
      room: roomIn(memory),
      ...allowanceFor(lifeOf(state), memory.judge),
      ...(listener ? { listener } : {}),
    });
  }, modelGuard(services.workspaces));

/**
 * Whatever a model would answer, its calls could not be carried out, or would rest on spoiled dependencies. A turn
 * succeeds only with an answer: so no success hides that its calls have changed them.
 */
const modelGuard = ({ goneFault, sharedFault }: RunWorkspaces): Guard => ({
  look: async (isolation) => (await goneFault(isolation)) ?? sharedFault(isolation),
  answer: (fault) => ({ type: 'model.failed', payload: { fault, usage: { inputTokens: 0, outputTokens: 0 } } }),
});

/** All that is left of the budget, and the expected size of the request. */
function allowanceFor(life: Life, { next: { inputTokens, isCounted } }: JudgeMemory): Pick<ModelInput, 'allowance'> {
  const left = leftFor(life, 'model');
  return isLimited(left) ? { allowance: { ...left, inputTokens, isCounted } } : {};
}

export const modelAnswer: Effect = {
  class: 'repeatable',
  spends: true,
  interrupted: (_, { reason, kept }) => ({
    type: 'model.interrupted',
    payload: { reason, text: '', usage: kept ?? { inputTokens: 0, outputTokens: 0 } },
  }),
  handler: streamModel,
};
