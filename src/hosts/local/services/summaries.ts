import type { AskOptions } from '../../../actors/model/ask-for-text.ts';
import { compactionActor } from '../../../actors/model/compaction-actor.ts';
import type { Model } from '../../../actors/model/model.ts';
import { summaryActor } from '../../../actors/model/summary-actor.ts';
import type { Summaries } from '../../../ports/effect-models.ts';

export const summariesBy = (model: Model, options: AskOptions): Summaries => ({
  ofRun: summaryActor(model),
  ofConversation: compactionActor(model, options),
});
