import type { Life } from '../../../../machines/life.ts';
import type { ModelInput } from '../../../actors/model/model-actor.ts';
import { isLimited, leftFor } from '../../../budget/allowance.ts';
import { listeningDetector } from '../../../detectors/chant.ts';
import type { JudgeMemory } from '../../../judging/judge-memory.ts';
import { lifeOf } from '../../../kernel/fold.ts';
import type { ModelServices } from '../services/model-services.ts';
import type { ToolServices } from '../services/tool-services.ts';
import { goneFault, sharedFault } from '../isolation/worktree-fault.ts';
import { actorExecution } from './execution.ts';
import { type Guard, inWorktree } from './in-worktree.ts';
import type { LocalEffect } from './local-effect.ts';
import { roomIn, turnRequest } from './turn-request.ts';

/** Asks the run's model, or the one that has replaced it, for the next answer of the conversation. */
export const streamModel = ({
  model,
  toolSpecs,
}: Pick<ModelServices, 'model'> & Pick<ToolServices, 'toolSpecs'>): LocalEffect =>
  inWorktree(({ context, memory }) => {
    const { settings, state } = context;
    const { replacement, tries } = memory;
    const listener = listeningDetector(memory.judge.detectors)?.listener;
    return actorExecution(model(replacement ?? settings.model, replacement ? null : (settings.fallbackModel ?? null)), {
      request: turnRequest(context, memory, toolSpecs),
      tries,
      room: roomIn(memory),
      ...allowanceFor(lifeOf(state), memory.judge),
      ...(listener ? { listener } : {}),
    });
  }, MODEL_GUARD);

/**
 * Whatever a model would answer, its calls could not be carried out, or would rest on spoiled dependencies. A turn
 * succeeds only with an answer: so no success hides that its calls have changed them.
 */
const MODEL_GUARD: Guard = {
  look: async (isolation) => (await goneFault(isolation)) ?? sharedFault(isolation),
  answer: (fault) => ({ type: 'model.failed', payload: { fault, usage: { inputTokens: 0, outputTokens: 0 } } }),
};

/** All that is left of the budget, and the expected size of the request. */
function allowanceFor(life: Life, { next: { inputTokens, isCounted } }: JudgeMemory): Pick<ModelInput, 'allowance'> {
  const left = leftFor(life, 'model');
  return isLimited(left) ? { allowance: { ...left, inputTokens, isCounted } } : {};
}
