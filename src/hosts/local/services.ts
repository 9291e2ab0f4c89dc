import type { Tool } from '../../actors/tools/tool.ts';
import { type Clock, systemClock } from '../../actors/timer/clock.ts';
import type { StrategyRegistry } from '../../strategies/registry.ts';
import type { BatchService } from '../../actors/model/batch-service.ts';
import { type AgentLookup, noAgents } from './agents.ts';
import {
  conversationsIn,
  type ConversationSource,
  type EarlierConversations,
  noConversations,
} from './earlier-conversations.ts';
import { type EarlierErrors, earlierErrorsIn, noErrors } from './earlier-errors.ts';
import { type FlakyLedger, flakyLedgerIn, noLedger } from './flaky-ledger.ts';
import { noTexts, type RecordedTexts, textsIn } from './improvement/recorded-texts.ts';
import { imagesIn } from './earlier-images.ts';
import { type ActorServices, actorServices } from './services/actor-services.ts';
import { type DetectorOptions, type DetectorServices, detectorServices } from './services/detector-services.ts';
import { type ModelOptions, type ModelServices, modelServices } from './services/model-services.ts';
import { type StrategyServices, strategyServices } from './services/strategy-services.ts';
import { type ToolServices, toolServices } from './services/tool-services.ts';

/** What effect handlers use in this process, whatever the run. Each handler takes only the few that it needs. */
export interface Services extends ModelServices, ToolServices, DetectorServices, StrategyServices, ActorServices {
  /** Finds the agents that work can be delegated to. */
  readonly agents: AgentLookup;
  readonly conversations: EarlierConversations;
  readonly earlierErrors: EarlierErrors;
  readonly flakyLedger: FlakyLedger;
  /** Answers many questions to models at once, later. Null: they are asked in parallel. */
  readonly batch: BatchService | null;
  /** What models, tools and people have said in a run and those below it. */
  readonly texts: RecordedTexts;
  /** The run at the top of the tree of a run. */
  readonly rootOf: (run: string) => Promise<string>;
  /** Whether a run is another one, or was opened by it or by one below it. */
  readonly isWithin: (run: string, other: string) => Promise<boolean>;
  readonly clock: Clock;
  /** The address of the log that has the runs. Null: there is none. */
  readonly store: string | null;
}

export interface ServiceOptions extends ModelOptions, DetectorOptions {
  /** Beside the built-in ones. A name that is taken twice, or that no provider takes, throws a `TypeError` at once. */
  readonly tools?: readonly Tool[];
  /** Finds the agents that a model can delegate work to by name. Without it a model can only delegate to itself. */
  readonly agents?: AgentLookup;
  readonly strategies?: StrategyRegistry;
  /** How long a strategy may take to answer, 60 s by default: the run of one that takes longer ends by an error. */
  readonly strategyLimitMs?: number;
  /** Answers the one-shot questions of an improvement loop in batches. Without it they are asked in parallel. */
  readonly batch?: BatchService;
  readonly clock?: Clock;
}

export function localServices(options: ServiceOptions = {}, source: ConversationSource | null = null): Services {
  const { clock = systemClock, agents = noAgents } = options;
  const tools = toolServices(options.tools);
  return {
    ...modelServices(options, clock, source ? imagesIn(source) : undefined),
    ...tools,
    ...detectorServices(tools.traits, options),
    ...strategyServices(options.strategies, options.strategyLimitMs),
    ...actorServices(clock, source?.log.store ?? null),
    agents,
    rootOf: async (run) => (await source?.log.run(run))?.root ?? run,
    isWithin: async (run, other) => {
      let found: string | undefined = run;
      while (found !== undefined && found !== other) found = parentOf(await source?.log.run(found));
      return found === other;
    },
    conversations: source ? conversationsIn(source) : noConversations,
    earlierErrors: source ? earlierErrorsIn(source) : noErrors,
    flakyLedger: source ? flakyLedgerIn(source) : noLedger,
    batch: options.batch ?? null,
    texts: source ? textsIn(source) : noTexts,
    clock,
    store: source?.log.store ?? null,
  };
}

/** An effect is named by its run: `RUN/version/n`. */
const parentOf = (record: { readonly parentEffect?: string | null } | null | undefined): string | undefined =>
  record?.parentEffect?.split('/')[0];
