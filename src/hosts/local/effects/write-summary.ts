import type { ModelServices } from '../services/model-services.ts';
import { endingSummary } from './ending-summary.ts';
import { actorExecution } from './execution.ts';
import type { LocalEffect } from './local-effect.ts';
import { isSummedUp, summaryRequest } from './summary-request.ts';

/**
 * Sums a run up when it ends, or a conversation that has grown too long. A sentence made of figures is decided at
 * once; a model is asked where tokens were reserved for that.
 */
export const writeSummary = ({ summary }: Pick<ModelServices, 'summary'>): LocalEffect => ({
  decide: ({ effect, context, memory }) => {
    if (effect.key !== 'summary' || isSummedUp(context)) return null;
    return { type: 'summary.written', payload: { text: endingSummary(context, memory.loop) } };
  },
  execute: ({ context, memory }) =>
    actorExecution(summary(memory.replacement ?? context.settings.model), summaryRequest(context, memory)),
});
