import { ImprovementOptions, type TerminationRule } from '../../../../machines/improvement-options.ts';
import type { RunSettings } from '../../../../machines/settings.ts';

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
export function trackedConfig({ options, limits, model: ofRun }: RunSettings): TrackedConfig {
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
