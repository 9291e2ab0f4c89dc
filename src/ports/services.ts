import type { RunSettings } from '../../machines/settings.ts';
import type { RunOptions } from '../config/options.ts';
import type { TraitsOf } from '../detectors/traits.ts';
import type { DetectorsFor } from '../judging/detector-set.ts';
import type { ConfigFault } from '../options/config-fault.ts';
import type { EffectModels } from './effect-models.ts';
import type { EffectTools, CommonActors } from './effect-tools.ts';
import type { Strategies } from './strategies-of-runs.ts';
import type { Opinion } from '../../machines/outcome.ts';
import type { BatchService } from '../actors/model/batch-service.ts';
import type { Clock } from '../actors/timer/clock.ts';
import type { AgentLookup } from './agents.ts';
import type { EffectRecords } from './effect-records.ts';
import type { RunWorkspaces } from './run-workspaces.ts';
import type { StateFiles } from './state-file-port.ts';

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

/** A question to the person at the terminal: whether the run goes on, though a detector would end it. */
export interface FindingQuestion {
  readonly run: string;
  readonly detector: string;
  readonly message: string;
}

/** Asks the person who attends the run. Null: no person does, or none has answered in time. */
export type Attendant = (
  question: FindingQuestion,
  signal: AbortSignal,
) => Promise<Pick<Opinion, 'answer' | 'because'> | null>;

/** The services that a host gives to effects, whatever the run. Each effect takes only the few that it needs. */
export interface EffectServices extends EffectModels, EffectTools, CommonActors, EffectRecords {
  /** Finds the agents that work can be delegated to. */
  readonly agents: AgentLookup;
  /** Asks the person who attends runs in this process. Null: no person does. */
  readonly attendant: Attendant | null;
  /** Answers many questions to models at once, later. Null: they are asked in parallel. */
  readonly batch: BatchService | null;
  readonly clock: Clock;
  readonly workspaces: RunWorkspaces;
  readonly stateFiles: StateFiles;
  /** The settings of a run that is about to begin, with what the host adds to them. */
  readonly opened: (settings: RunSettings) => Promise<RunSettings>;
  /** The time that a strategy has to answer. */
  readonly strategyLimitMs: number;
}
