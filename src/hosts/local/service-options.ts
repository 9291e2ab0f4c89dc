import type { BatchService } from '../../actors/model/batch-service.ts';
import type { Clock } from '../../actors/timer/clock.ts';
import type { Tool } from '../../actors/tools/tool.ts';
import type { AgentLookup } from '../../ports/agents.ts';
import type { StrategyRegistry } from '../../strategies/registry.ts';
import type { DetectorOptions } from './services/detector-services.ts';
import type { ModelOptions } from './services/model-services.ts';

/** The options of the services of this machine. Each has a default. */
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
