import type { ModelServices } from '../services/model-services.ts';
import type { ToolServices } from '../services/tool-services.ts';
import { endingSummary } from './ending-summary.ts';
import { actorExecution } from './execution.ts';
import type { LocalEffect } from './local-effect.ts';
import { conversationSummary } from './summarise-conversation.ts';
import { isSummedUp, summaryRequest } from './summary-request.ts';

/** The key of the summary at the end of a run: any other is of a conversation that goes on. */
const AT_THE_END = 'summary';

/**
 * Sums a run up when it ends, or a conversation that has grown too long. A sentence made of figures is decided at
 * once; a model is asked where tokens were reserved for that.
 */
export const writeSummary = ({
  summaries,
  toolSpecs,
}: Pick<ModelServices, 'summaries'> & Pick<ToolServices, 'toolSpecs'>): LocalEffect => ({
  decide: ({ effect, context, memory }) => {
    if (effect.key !== AT_THE_END || isSummedUp(context)) return null;
    return { type: 'summary.written', payload: { text: endingSummary(context, memory.loop) } };
  },
  execute: (request) => {
    const { effect, context, memory } = request;
    const { ofRun, ofConversation } = summaries(memory.replacement ?? context.settings.model);
    return effect.key === AT_THE_END
      ? actorExecution(ofRun, summaryRequest(context, memory))
      : actorExecution(ofConversation, conversationSummary(request, toolSpecs));
  },
});
