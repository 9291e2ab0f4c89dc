import { ImprovementOptions, type TerminationRule } from '../../../../machines/improvement-options.ts';
import type { RunSettings } from '../../../../machines/settings.ts';
import type { Fact, Tracker, TrackerEvent } from '../../../kernel/effect-handlers.ts';
import { ImprovementHistory } from '../history/improvement-history.ts';
import type { IterationResult, PhaseName } from '../history/iteration-result.ts';

const ORCHESTRATION = 'orchestration';

/**
 * The tracker events of an improvement loop. An iteration is told as completed once nothing can be counted to it any
 * more, when the next one begins or the run ends: so the costs of all iterations are the cost of the loop.
 */
export class ImprovementTracker implements Tracker {
  readonly #history = new ImprovementHistory();
  #phases: ImprovementOptions['phases'] | null = null;
  /** Iterations that are told as completed. */
  #told = 0;
  /** The candidate whose change is told as evaluated. An evaluation that was interrupted begins again. */
  #evaluated: string | null = null;
  #modification: string | null = null;
  #isEnding = false;

  observe(fact: Fact): readonly TrackerEvent[] {
    this.#history.observe(fact);
    switch (fact.type) {
      case 'run.started':
        return this.#begun(fact.payload.settings);
      case 'iteration.started':
        return [...this.#completed(), ...this.#phase('discovery', {})];
      case 'discovery.completed': {
        const candidateCount = fact.payload.discoveries.length;
        return candidateCount === 0 ? [] : this.#phase('filter', { candidateCount });
      }
      case 'experiment.started':
        this.#evaluated = null;
        this.#modification = null;
        return fact.payload.built ? [] : this.#phase('experiment', { discoveryId: fact.payload.candidate });
      case 'candidate.built': {
        const { candidate, modification: modificationId } = fact.payload;
        this.#modification = modificationId;
        if (this.#evaluated === candidate) return [];
        this.#evaluated = candidate;
        return this.#phase('evaluate', { modificationId });
      }
      case 'evaluation.completed':
        return fact.payload.passed ? this.#phase('integrate', { modificationId: this.#modification }) : [];
      case 'decision.made':
        this.#isEnding = fact.payload.action === 'stop';
        return [];
      case 'strategy.ended':
        return this.#ended();
      case 'timer.fired':
        return this.#isEnding && fact.payload.timer === 'ending' ? this.#ended() : [];
      default:
        return [];
    }
  }

  #begun(settings: RunSettings): readonly TrackerEvent[] {
    this.#phases = ImprovementOptions.parse(settings.options ?? {}).phases;
    const metadata = { config: trackedConfig(settings) };
    return [{ type: 'loop_started', iteration: 0, phase: ORCHESTRATION, cost: 0, success: true, metadata }];
  }

  #phase(phase: PhaseName, metadata: TrackerEvent['metadata']): readonly TrackerEvent[] {
    if (!this.#phases?.[phase].enabled || this.#history.isStopped) return [];
    return [{ type: 'phase_started', iteration: this.#history.begun, phase, cost: 0, success: true, metadata }];
  }

  #completed(): readonly TrackerEvent[] {
    const over = this.#history.iterations().slice(this.#told);
    this.#told += over.length;
    return over.map(completed);
  }

  #ended(): readonly TrackerEvent[] {
    const { begun, spent } = this.#history;
    const { improvements } = this.#history.stats();
    return [
      ...this.#completed(),
      {
        type: 'loop_completed',
        iteration: begun,
        phase: ORCHESTRATION,
        cost: spent.cost.total,
        success: improvements > 0,
        metadata: { totalIterations: begun, improvements },
      },
    ];
  }
}

const completed = ({ iterationNumber, cost, type }: IterationResult<unknown>): TrackerEvent => ({
  type: 'iteration_completed',
  iteration: iterationNumber,
  phase: ORCHESTRATION,
  cost: cost.total,
  success: type === 'improvement-found',
  metadata: { resultType: type },
});

/** The configuration of an improvement loop, as its trackers are told. Null as a model: the loop chose one. */
export interface TrackedConfig {
  /** Null: no limit. */
  readonly maxIterations: number | null;
  readonly budgetTokens: number | null;
  readonly costTracking: boolean;
  readonly terminationRules: readonly TerminationRule[];
  readonly phases: {
    readonly discovery: { readonly enabled: boolean; readonly model: string | null };
    readonly filter: {
      readonly enabled: boolean;
      readonly model: string | null;
      readonly minRelevanceScore: number;
    };
    readonly experiment: { readonly enabled: boolean; readonly model: string; readonly useBatchAPI: boolean };
    readonly evaluate: { readonly enabled: boolean };
    readonly integrate: { readonly enabled: boolean; readonly requireApproval: boolean };
  };
}

/** The configuration that a run was started with. */
function trackedConfig({ options, limits, model: ofRun }: RunSettings): TrackedConfig {
  const { costTracking, terminationRules, phases } = ImprovementOptions.parse(options ?? {});
  const { discovery, filter, experiment, evaluate, integrate } = phases;
  return {
    maxIterations: limits.maxIterations,
    budgetTokens: limits.maxTokens,
    costTracking,
    terminationRules,
    phases: {
      discovery: { enabled: discovery.enabled, model: discovery.model },
      filter: { enabled: filter.enabled, model: filter.model, minRelevanceScore: filter.minRelevanceScore },
      experiment: {
        enabled: experiment.enabled,
        model: experiment.model ?? ofRun,
        useBatchAPI: experiment.useBatchAPI,
      },
      evaluate: { enabled: evaluate.enabled },
      integrate: { enabled: integrate.enabled, requireApproval: integrate.requireApproval },
    },
  };
}
