import type { Tool } from '../../actors/tools/tool.ts';
import { type Clock, systemClock } from '../../actors/timer/clock.ts';
import type { StrategyRegistry } from '../../strategies/registry.ts';
import type { BatchService } from '../../actors/model/batch-service.ts';
import { type AgentLookup, noAgents } from '../../ports/agents.ts';
import type { ConversationSource } from '../../app/records/earlier-conversations.ts';
import type { Services } from '../../ports/services.ts';
import { imagesIn } from '../../app/records/earlier-images.ts';
import { openedSettings } from '../../app/opening/settings-of-opening.ts';
import { actorServices } from './services/actor-services.ts';
import { type DetectorOptions, detectorServices } from './services/detector-services.ts';
import { type ModelOptions, modelServices } from './services/model-services.ts';
import { recordServices } from './services/record-services.ts';
import { strategyServices } from './services/strategy-services.ts';
import { toolServices } from './services/tool-services.ts';

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
  /**
   * The address of a repository that gets each capture of a workspace before it is recorded, so that a run can go on
   * on another machine. Captures hold files that git does not track.
   */
  readonly captures?: string;
  /** Without `monotonic` its `now` must never jump. */
  readonly clock?: Omit<Clock, 'monotonic'> & Partial<Pick<Clock, 'monotonic'>>;
}

export function localServices(options: ServiceOptions = {}, source: ConversationSource | null = null): Services {
  const { agents = noAgents } = options;
  const clock = clockOf(options);
  const tools = toolServices(options.tools);
  return {
    ...modelServices(options, clock, source ? imagesIn(source) : undefined),
    ...tools,
    ...detectorServices(tools.traits, options),
    ...strategyServices(options.strategies, options.strategyLimitMs),
    ...actorServices(clock, source?.log.store ?? null, options.captures),
    ...recordServices(source),
    agents,
    batch: options.batch ?? null,
    clock,
    opened: (settings) => openedSettings(settings, { ...tools, isProven: false, clock }),
  };
}

const clockOf = ({ clock }: ServiceOptions): Clock =>
  clock === undefined ? systemClock : { monotonic: () => clock.now(), ...clock };
