import type { Opinion } from '../../machines/outcome.ts';
import type { RunSettings } from '../../machines/settings.ts';
import type { BatchService } from '../actors/model/batch-service.ts';
import type { Clock } from '../actors/timer/clock.ts';
import type { AgentLookup } from './agents.ts';
import type { EffectModels } from './effect-models.ts';
import type { EffectRecords } from './effect-records.ts';
import type { CommonActors, EffectTools } from './effect-tools.ts';

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
  /** The settings of a run that is about to begin, with what the host adds to them. */
  readonly opened: (settings: RunSettings) => Promise<RunSettings>;
  /** The time that a strategy has to answer. */
  readonly strategyLimitMs: number;
}
