import type { Actor } from '../../../actors/actor.ts';
import type { AskOptions } from '../../../actors/model/ask-again.ts';
import { compactionActor, type CompactionInput } from '../../../actors/model/compaction-actor.ts';
import type { Model } from '../../../actors/model/model.ts';
import { summaryActor, type SummaryInput } from '../../../actors/model/summary-actor.ts';

/** The actors that ask one model for summaries. */
export interface Summaries {
  /** Of a run that a limit has ended. */
  readonly ofRun: Actor<SummaryInput>;
  /** Of a conversation that no longer fits its window. */
  readonly ofConversation: Actor<CompactionInput>;
}

export const summariesBy = (model: Model, options: AskOptions): Summaries => ({
  ofRun: summaryActor(model),
  ofConversation: compactionActor(model, options),
});
