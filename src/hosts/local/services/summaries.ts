import { type AskOptions, summaryActor } from '../../../actors/model/summary-actor.ts';
import { compactionActor } from '../../../actors/model/compaction-actor.ts';
import type { Model } from '../../../actors/model/model.ts';
import type { Summaries } from '../../../ports/effect-models.ts';

export const summariesBy = (model: Model, options: AskOptions): Summaries => ({
  ofRun: summaryActor(model),
  ofConversation: compactionActor(model, options),
});
