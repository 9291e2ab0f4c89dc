import type { RunSettings } from '../../machines/settings.ts';
import type { RunOptions } from '../config/options.ts';
import type { TraitsOf } from '../detectors/traits.ts';
import type { DetectorsFor } from '../judging/detector-set.ts';
import type { ConfigFault } from '../options/config-fault.ts';
import type { EffectModels } from './effect-models.ts';
import type { Attendant, EffectServices } from './effect-services.ts';
import type { EffectTools } from './effect-tools.ts';
import type { Strategies } from './strategies-of-runs.ts';

/** The models that runs of a host name. */
export interface ModelServices extends EffectModels {
  /** The model that answers for every run, whatever its settings name. Null: each run's own. */
  readonly onlyModel: string | null;
  /** What runs that name no model record as its name: another program finds that model by it. Null: a default. */
  readonly recordedModel: string | null;
}

/** Walls as a run that is about to start records them, and sentences about them. */
export interface WantedSandbox {
  readonly settings: Partial<Pick<RunSettings, 'sandbox' | 'tools'>>;
  readonly warnings: readonly string[];
}

/** The tools that runs of a host offer to their models, by name. */
export interface ToolServices extends EffectTools {
  /** The tools that a run can name. */
  readonly toolNames: readonly string[];
  /** Those that every run with tools has, beside the ones that it names. */
  readonly offeredTools: readonly string[];
  /** What a tool has declared for detectors. */
  readonly traits: TraitsOf;
  /**
   * Builds the walls of a run that is about to start once, to know whether they stand. `ofChildren`: models of runs
   * below it. Throws an `EnvironmentError` where they are required and do not stand.
   */
  readonly wantedSandbox: (
    options: RunOptions,
    settings: Pick<RunSettings, 'directory' | 'isolation' | 'model' | 'tools'>,
    ofChildren?: readonly string[],
  ) => Promise<WantedSandbox>;
}

/** The detectors that runs of a host may choose. */
export interface DetectorServices {
  /** The detectors that a run has chosen, and the program's own. Throws where `detectorFaults` finds any. */
  readonly detectorsOf: DetectorsFor;
  /** Why detectors cannot be made of a choice; empty where they can. */
  readonly detectorFaults: (choices: RunSettings['detectors']) => readonly ConfigFault[];
  /** Asks the person who attends runs in this process. Null: no person does. */
  readonly attendant: Attendant | null;
}

/** The strategies that runs of a host may name. */
export interface StrategyServices {
  readonly strategies: Strategies;
  /** How long a strategy may take to answer. */
  readonly strategyLimitMs: number;
}

/** The services that judging a recorded run needs. */
export type JudgeServices = DetectorServices & Pick<StrategyServices, 'strategies'> & Pick<ToolServices, 'callKind'>;

/** The services of a host: those of effects, and what starting and judging runs needs beside them. */
export interface Services extends EffectServices, ModelServices, ToolServices, DetectorServices, StrategyServices {}
