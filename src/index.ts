// Runs.
export type { EventOf, LoopEvent } from '../machines/events.ts';
export type { Outcome, Spend } from '../machines/outcome.ts';
export type { Approver } from '../machines/recorded-proof.ts';
export type { RunOptions } from './config/options.ts';
export { Loops } from './hosts/local/local-host.ts';
export { type Keeping, type KeptEnd, type KeptRun, KeptRuns } from './app/kept/run-cache.ts';
export { carryOut } from './app/running/carry-out.ts';
export type { KeyBudget } from './hosts/fleet/key-budget.ts';
export type { PlacesOptions } from './hosts/fleet/run-places.ts';
export { type FleetOptions, FleetWorker, type WorkerNews } from './hosts/fleet/fleet-workers.ts';
export type { SubmitOptions } from './app/start/submit-run.ts';
export type { SubmittedRun } from './app/start/submit-run.ts';
export { createImprovementLoop, type ImprovementLoop, type ImprovementPlace } from './app/start/improvement-loop.ts';
export { LoopConfig, type LoopConfigParts } from './config/improve-config.ts';
export type { ImprovementStats, IterationResult } from './loops/improvement/history/iteration-result.ts';
export type { PhaseCosts } from './loops/improvement/history/iteration-result.ts';
export type { AnyModel } from './hosts/local/model-by-name.ts';
export type { LoopsOptions } from './hosts/local/loops-options.ts';
export type { Preview } from './app/preview/preview-run.ts';
export type { Delivered } from './app/running/report-delivery.ts';
export type { Report } from './log/outbox-store.ts';
export type { RunActivity } from './app/running/run-activities.ts';
export type { Tracker, TrackerEvent } from './kernel/effect-handlers.ts';
export type { NextStep, NextSteps } from './kernel/effect-handlers.ts';
export type { ReportFold, ReportPage } from './kernel/report-page.ts';
export type { RunReport } from './app/records/run-tracker.ts';
export type { ImprovementNight } from './loops/improvement/report/improvement-night.ts';
export type { LiveRun } from './app/running/live-runs.ts';
export type { BringOptions, BroughtChange, BroughtPath, WorkspaceHeld } from './app/changes/apply-change.ts';
export type { DecidingFile } from './config/settings-places.ts';
export type { KeptPath } from './app/changes/paths-of-undo.ts';
export type { ChangeBranch } from './app/changes/change-branch.ts';
export type { ChangedPath, DiffOptions, NoChange, RunChange } from './app/changes/run-change.ts';
export type { NoCapture, RunSide, Side } from './app/changes/run-sides.ts';
export { OptionsError } from './app/start/options-error.ts';
export { WorkspaceHeldError } from './app/holds/workspace-held-error.ts';
export { StateFileHeldError } from './app/start/state-file-holder.ts';
export type { WorkspaceHolder } from './ports/workspace-holds.ts';
export type { Answer } from './app/people/people.ts';
export type { CommandResult } from './app/people/people-result.ts';
export type { Grant } from './app/people/ruling.ts';
export { agentFiles } from './app/start/agent-files.ts';
export type { AgentLookup, AgentOptions, FoundAgent } from './ports/agents.ts';
export { EnvironmentError } from './actors/environment-error.ts';
export { answerValue } from './app/records/answer-value.ts';
export type { RunEnd } from './runtime/run-end.ts';

// What happened in them.
export type { Question } from './projections/questions.ts';
export type { InboxItem } from './projections/read-inbox.ts';
export { factOf } from './projections/read-summary.ts';
export type { ReadEvent, Unreadable } from './log/read-event.ts';
export { readEvents } from './log/reading.ts';
export { UnreadableError } from './log/unreadable.ts';
export type { Fact, FactOf } from './kernel/effect-handlers.ts';

// Where they are recorded.
export type { Envelope } from './log/envelope.ts';
export { LogError } from './log/log.ts';
export type { Log } from './log/log.ts';
export type { Submission } from './log/queue-store.ts';
export { type Secret, secretsIn } from './log/secret-variables.ts';
export { openPostgresLog, type PostgresLogOptions } from './log/postgres/open-postgres-log.ts';
export { memoryLog, openSqliteLog } from './log/sqlite/engine.ts';

// How it is configured.
export { type Config, type ConfigExport, defineConfig } from './config/config.ts';

// What a program may bring of its own.
export {
  type AnyScript,
  defineTool,
  type Model,
  type ModelAnswer,
  ModelError,
  type ModelRequest,
  type SdkModel,
  ScriptError,
  scriptedModel,
  GitError,
  type Tool,
  type ToolContext,
  type ToolReply,
  WorkspaceError,
} from './hosts/local/extensions.ts';
export type { Detector } from './detectors/detector.ts';
export { DetectorError } from './judging/detector-set.ts';
export { identicalCalls } from './detectors/identical-calls.ts';
export type { LoopDecision } from './strategies/loop-decision.ts';
export { FixedStrategy } from './strategies/fixed-strategy.ts';
export { HybridStrategy } from './strategies/hybrid.ts';
export { RalphStrategy } from './strategies/ralph.ts';
export { createLoopStrategy, type LoopStrategyConfig } from './strategies/create-loop-strategy.ts';
export { builtInStrategies, type StrategyRegistry } from './strategies/registry.ts';
export type {
  IterationCompleteEvent,
  IterationSummary,
  LoopEndEvent,
  LoopStrategy,
  StrategyCall,
} from './strategies/strategy.ts';

// What a user's own loop is made of.
export { defineLoop } from './loops/define-loop.ts';
export type { WrittenLoop } from './loops/attempt-loop.ts';
export { attemptBounds, attemptRounds, reserveForAttempt } from './loops/attempt-loop.ts';
export { attempt } from './loops/shared/effects/run-child.ts';
export { attemptActivity } from './loops/attempt-loop.ts';
export { attemptSettings } from './loops/attempt-settings.ts';
export { type Round, roundSettings } from './loops/attempt-settings.ts';
export { sharedEffects } from './loops/shared-effects.ts';
export type { ChildOf } from './kernel/effect-spec.ts';
export type { Activity } from './kernel/effect-handlers.ts';
export type { Evidence } from './kernel/decision.ts';
export type { Outstanding, RunState } from './kernel/fold.ts';
export { feedback, judgeInOrder, type Judging, nudges, proven } from './judging/judge-in-order.ts';
export type { Advice } from './kernel/decision.ts';
export type { Conversation, LoopDefinition, LoopSettings } from './kernel/loop-definition.ts';
export type { EffectHandler, EffectSpec, HandlerInput, Interruption } from './kernel/effect-spec.ts';
export type { Additions, Approval, AskedQuestion, LoopDescription, Questions } from './kernel/loop-description.ts';
export type { LoopMemory } from './kernel/loop-memory.ts';
export { checksFeedback } from './strategies/feedback.ts';
export { OUTSIDE, type Ranking } from './kernel/loop-ranking.ts';
export { endingLeft, lifeFalls, lifeLeft } from './termination/life-left.ts';
export { interruptionOf } from './termination/life-left.ts';
export type { Asked, CallKind, CallKindOf } from './kernel/call-kinds.ts';
export type { AskedAgain, OwnAnswer, OwnJudgement } from './kernel/loop-judging.ts';
export type { Rounds } from './kernel/loop-ranking.ts';
export { type Decision, anotherRound } from './kernel/decision.ts';
export type { DetectorAction, DetectorTerm } from './detectors/terms.ts';
export { LoopRuleError } from './testing/lint/loop-rule-error.ts';

// A run as its state directory tells it.
export { LoopMetrics, loopMetrics, LoopState, loopState } from './projections/loop-state.ts';

// What another judge would have decided.
export type { JudgedAgain, JudgedAlone } from './app/judging/judge-again.ts';
export type { RedecideOptions } from './app/judging/redecide-options.ts';
export type { Redecided } from './redecide/conclusion.ts';
export type { OtherJudge } from './redecide/other-judge.ts';
export type { Redecision } from './redecide/redecision.ts';
export { redecide } from './redecide/redecide-run.ts';
export type { Saving } from './redecide/saving.ts';
export type { RedecidedTree } from './redecide/redecide-tree.ts';

// Whether recorded runs go the same way under the machines of today.
export type { Arrow, Difference, Next, Sign } from './replay/difference.ts';
export { checkLog } from './replay/check-log.ts';
export type { Recording, Told } from './replay/recording.ts';
export { replay, type Replayed } from './replay/replay-run.ts';
