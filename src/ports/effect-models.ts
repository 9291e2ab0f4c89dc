import type { Usage } from '../../machines/events.ts';
import type { Price } from '../../machines/price.ts';
import type { AgentInput } from '../agents/agent-actor.ts';
import type { Actor, EffectCall } from '../actors/actor.ts';
import type { askWithin, Said } from '../actors/model/ask-within.ts';
import type { CompactionInput } from '../actors/model/compaction-actor.ts';
import type { ModelRequest } from '../actors/model/model.ts';
import type { ModelInput } from '../actors/model/model-actor.ts';
import type { SummaryInput } from '../actors/model/summary-actor.ts';

/** The actors that ask one model for summaries. */
export interface Summaries {
  /** The summary of a run that a limit has ended. */
  readonly ofRun: Actor<SummaryInput>;
  /** The summary of a conversation that no longer fits its window. */
  readonly ofConversation: Actor<CompactionInput>;
}

/** The models that effects ask. */
export interface EffectModels {
  /** Loads a model and its fallback by their names, so that a run whose model is missing never starts. */
  readonly loadModel: (name: string, fallback?: string | null) => Promise<void>;
  /**
   * What the model of that name costs for a request of that usage; without one at most, however long a request is.
   * Null: its price is unknown.
   */
  readonly priceOf: (name: string, isFallback?: boolean, usage?: Usage) => Promise<Price | null>;
  /**
   * The cheapest known model of the provider of a model, for questions that need no better one. Null: none is known, or
   * one model answers for every run.
   */
  readonly cheapestOf: (name: string) => Promise<string | null>;
  /** The size of the model's window in tokens. Null: it is unknown. */
  readonly contextTokensOf: (name: string, isFallback?: boolean) => Promise<number | null>;
  /** The actor that answers under a name, and the model that takes over where that one cannot. */
  readonly model: (name: string, fallback: string | null) => Actor<ModelInput>;
  /** The actor that works under a name where an agent of others takes the place of a model. Null: it is a model. */
  readonly agent: (name: string) => Actor<AgentInput> | null;
  /** The actors that ask the same model for summaries. */
  readonly summaries: (name: string) => Summaries;
  /** Asks the model of that name one thing, within an allowance. */
  readonly ask: (
    name: string,
    request: ModelRequest,
    allowance: Parameters<typeof askWithin>[2]['allowance'],
    call: EffectCall,
  ) => Promise<Said>;
}
