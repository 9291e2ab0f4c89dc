import type { Account } from '../../projections/run-account.ts';
import { MAX_LINE_CHARS, shownText } from './shown-text.ts';

/** What a run and all below it have used, by model and by phase. */
export function spentView({ spend, models, phases, retries, idleMs }: Account) {
  return {
    models: models.map(({ estimatedTokens: _, unpriced: __, priceSources: ___, ...model }) => ({
      ...model,
      model: shownText(model.model, MAX_LINE_CHARS),
    })),
    phases: phases.map((phase) => ({ ...phase })),
    toolCalls: spend.toolCalls,
    tokens: spend.inputTokens + spend.outputTokens,
    costNanoUsd: spend.costNanoUsd ?? null,
    retries,
    idleMs,
  };
}
