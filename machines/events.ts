import { z } from 'zod';
import { AbortCause, Fault, Finding, Outcome, ReachedLimit, Spend } from './outcome.ts';
import { Price } from './price.ts';
import { RunSettings } from './settings.ts';
import { fact, unchanged, vocabularyOf } from './vocabulary.ts';

const count = z.int().nonnegative();

/** A tool call the model asked for. `callId` is ours (`step.index`): providers repeat their own ids. */
export const ToolCall = z.strictObject({
  callId: z.string(),
  providerId: z.string().nullable(),
  tool: z.string(),
  arguments: z.json(),
});
export type ToolCall = z.infer<typeof ToolCall>;

export { Price } from './price.ts';
export { fact } from './vocabulary.ts';

/** Tokens as the provider counted them. The optional counts are parts of the first two. */
export const Usage = z.strictObject({
  inputTokens: count,
  outputTokens: count,
  cachedInputTokens: count.optional(),
  cacheWriteTokens: count.optional(),
  reasoningTokens: count.optional(),
  /** The provider never said: counted from the length of what went and came, or what was set aside for it. */
  estimated: z.literal(true).optional(),
  /**
   * Absent where nobody knew a price. A nano-dollar is a billionth of a US dollar. Without a price it is a sum over calls
   * that had their own.
   */
  cost: z.strictObject({ nanoUsd: count, price: Price.optional() }).optional(),
});
export type Usage = z.infer<typeof Usage>;

/** How many of a check's failed tests are recorded by name. */
export const MAX_FAILING_TESTS = 100;

/** The single tests of a check, where its command reports them in a form we can read. */
export const TestReport = z.strictObject({
  format: z.enum(['junit', 'tap', 'json']),
  passed: count,
  failed: count,
  skipped: count,
  /** Those that failed, by full name, the first of them. */
  failing: z.array(z.strictObject({ name: z.string(), message: z.string() })).max(MAX_FAILING_TESTS),
});
export type TestReport = z.infer<typeof TestReport>;

export const CheckResult = z.strictObject({
  name: z.string(),
  /** The command exited with 0, and its report, if any, shows no failed test. */
  passed: z.boolean(),
  /** The tail of what the check printed. */
  output: z.string(),
  exitCode: z.int().nullable(),
  durationMs: count,
  tests: TestReport.optional(),
});
export type CheckResult = z.infer<typeof CheckResult>;

export const Level = z.enum(['L0', 'L1', 'L2', 'L3']);
export type Level = z.infer<typeof Level>;

/** The checks of one level, in order. Levels after the first failing one are absent. */
export const LevelResult = z.strictObject({ level: Level, passed: z.boolean(), checks: z.array(CheckResult) });
export type LevelResult = z.infer<typeof LevelResult>;

/** What the configured `ci` command said. */
export const CiResult = CheckResult.pick({ passed: true, output: true, exitCode: true, durationMs: true });
export type CiResult = z.infer<typeof CiResult>;

/** What one call may use at most, set aside before it starts. Null is unlimited; steps and tool calls are those of a child. */
export const Share = z.strictObject({
  tokens: count.nullable(),
  nanoUsd: count.nullable(),
  steps: count.nullable().optional(),
  toolCalls: count.nullable().optional(),
});
export type Share = z.infer<typeof Share>;

/** What one call of a model is expected to use at most, of which so much goes in, and the price that was reckoned with. */
export const Reservation = z.strictObject({ tokens: count, nanoUsd: count.nullable(), inputTokens: count, price: Price.optional() });
export type Reservation = z.infer<typeof Reservation>;

export const ChangedFile = z.strictObject({
  path: z.string(),
  added: count.nullable(),
  removed: count.nullable(),
});
export type ChangedFile = z.infer<typeof ChangedFile>;

const Decision = fact('decision.made', {
  action: z.enum(['continue', 'stop']),
  /** Present exactly when the action is `stop`. */
  sink: Outcome.optional(),
  reason: z.string(),
  /** Ids (`RUN/version`) of the events it rests on. */
  evidence: z.array(z.string()),
  /** What the next prompt must say. */
  feedback: z.string().optional(),
  /** A strategy's own words, given back to it in that iteration's summary. */
  strategy: z.strictObject({ name: z.string(), metadata: z.json() }).optional(),
  /** What detectors noticed since the last decision, stops and mere observations included. */
  findings: z.array(Finding).optional(),
}).refine(({ payload: { action, sink } }) => (action === 'stop') === (sink !== undefined), {
  path: ['payload', 'sink'],
  error: 'expected a sink with the action stop, and none with continue',
});

const iso = z.iso.datetime({ precision: 3 });

/** The program that records from here on: `loopfold@0.1.0`. Absent in logs from before it was recorded. */
const program = z.string().optional();

/** What happens to every loop, whatever it does. */
export const lifeFacts = [
  fact('run.started', {
    machine: z.string(),
    settings: RunSettings,
    /** Of a loop that does not ship: where its module lies, relative to the workspace, and the digest of its chart. */
    module: z.strictObject({ path: z.string().nullable(), digest: z.string() }).optional(),
    program,
  }, [unchanged]),
  /** First own event of a continuation: the judge is asked again, under these limits. `idleMs` as in `run.resumed`. */
  fact('run.continued', {
    limits: RunSettings.shape.limits,
    attemptLimits: RunSettings.shape.attemptLimits,
    strategy: RunSettings.shape.strategy,
    detectors: RunSettings.shape.detectors,
    prices: RunSettings.shape.prices,
    idleMs: count,
    program,
  }, [unchanged]),
  /** `waiting`: nothing is left to do until a person has answered. */
  fact('run.paused', { by: z.enum(['signal', 'user', 'waiting']) }),
  /** A person changes the task while the run is under way: the next prompt says so. */
  fact('run.steered', { text: z.string() }),
  /** `idleMs`: the dead span before it, which no wall-clock limit counts. */
  fact('run.resumed', { idleMs: count, program }, [unchanged]),
  /** From here on a later version of its machine folds it. Recorded before it is resumed, while nobody serves it. */
  fact('run.migrated', { from: z.string(), to: z.string() }),
  fact('abort.requested', { cause: AbortCause, reason: z.string().nullable() }),
  /** `usage`: what was set aside for those who are waited for no longer. Nobody will know what they have really used. */
  fact('timer.fired', { timer: z.enum(['deadline', 'grace', 'ending', 'retry']), usage: Usage.optional() }),
  /** `limit`: the one that most is used of. */
  fact('warning.raised', { code: z.string(), message: z.string(), limit: ReachedLimit.optional() }),
  Decision,
  fact('summary.written', { text: z.string(), usage: Usage.optional() }),
  fact('strategy.ended', { strategy: z.string().nullable(), fault: Fault.nullable() }),
  /** An effect that was told to stop, or lost in a crash, and will not answer. Models and tools say it in their own words. */
  fact('effect.interrupted', {
    actor: z.enum(['capture', 'checks', 'agent', 'compaction']),
    reason: z.string(),
    /** What was set aside for it, where it may have used something. */
    usage: Usage.optional(),
  }),
  fact('workspace.captured', {
    /** Tree hash of the whole work tree; null outside git. */
    hash: z.string().nullable(),
    ref: z.string().nullable(),
    /** Against the capture before it, or HEAD. */
    changed: z.array(ChangedFile),
  }),
  fact('workspace.failed', { fault: Fault }),
  fact('verification.completed', {
    passed: z.boolean(),
    workspace: z.string().nullable(),
    /** Empty where there was nothing to check: then nothing is proven. */
    levels: z.array(LevelResult),
    ci: CiResult.optional(),
  }),
] as const;

const childSettled = fact('child.settled', {
  child: z.string(),
  outcome: Outcome,
  answer: z.string(),
  spend: Spend,
  /** What a person has said to it meanwhile: later attempts are to know it too. */
  steering: z.array(z.string()).optional(),
  /** The call it answers, where a model has handed the work over. */
  callId: z.string().optional(),
});

const childAsked = fact('child.asked', { child: z.string(), callId: z.string().optional() });
const childAnswered = fact('child.answered', { child: z.string(), callId: z.string().optional() });

/** What a loop hears of a run that it has opened: it waits for a person, goes on, has ended. */
const childFacts = [childAsked, childAnswered, childSettled] as const;

/** What can be read of every run, also where its loop is not known. */
export const commonVocabulary = vocabularyOf(z.union([...lifeFacts, ...childFacts]));

/** Whether an event means the same in every loop. All others belong to the loop that records them. */
export const isShared = ({ type }: AnyEvent): boolean => commonVocabulary.has(type);

/** Why it will never be known how an attempt went: it was stopped, or lost in a crash. Null for every other fact. */
export const lostAttempt = ({ type, payload }: LoopEvent): string | null =>
  type === 'effect.interrupted' && payload.actor === 'agent' ? payload.reason : null;

/** Everything that can happen to a turn. A fact, in the past tense, true for ever. */
export const TurnEvent = z.discriminatedUnion('type', [
  ...lifeFacts,
  /** `reserved`: what the step's model call is expected to use, set aside until it is known. */
  fact('step.started', { step: count, startedAt: iso, reserved: Reservation.optional() }),
  fact('model.completed', {
    text: z.string(),
    calls: z.array(ToolCall),
    usage: Usage,
    /** Who answered. */
    model: z.string().optional(),
    /** It was ended early: it was too long, or not to be said. What it says is not finished work. */
    cut: z.enum(['length', 'filter']).optional(),
    /** What only this provider understands and wants back with the answer: signatures, encrypted reasoning. */
    continuity: z.json().optional(),
  }),
  fact('model.failed', { fault: Fault, usage: Usage }),
  /** `chant`: it was cut off because it said the same over and over. */
  fact('model.interrupted', { reason: z.string(), text: z.string(), usage: Usage, cause: z.enum(['chant']).optional() }),
  fact('model.retried', { attempt: z.int().positive(), fault: Fault, usage: Usage, retryAt: iso.optional() }),
  /** The provider asks for patience: a wait, not a failure. */
  fact('model.limited', { retryAt: iso, fault: Fault.optional() }),
  /** From here on another model answers: retries did not cure the first. */
  fact('model.replaced', { from: z.string(), to: z.string(), fault: Fault }),
  fact('context.filled', { usage: Usage }),
  fact('context.compacted', { summary: z.string(), usage: Usage }),
  fact('calls.admitted', {
    run: z.array(
      z.strictObject({
        callId: z.string(),
        actor: z.enum(['runTool', 'askPerson', 'runAgent']),
        /** What it may use of its run's account. Only what can spend has one. */
        share: Share.optional(),
      }),
    ),
    refused: z.array(z.strictObject({ callId: z.string(), reason: z.string() })),
    /** Why calls were refused, where a detector did. */
    findings: z.array(Finding).optional(),
  }),
  /** Of work that the model has handed over. */
  ...childFacts,
  fact('tool.completed', {
    callId: z.string(),
    output: z.string(),
    /** The tool declares the work done, with this answer. */
    answer: z.string().optional(),
  }),
  fact('tool.failed', { callId: z.string(), fault: Fault }),
  /** Nobody knows whether it happened: the process or the run was stopped in the middle. */
  fact('tool.interrupted', {
    callId: z.string(),
    reason: z.string(),
    /** What was set aside for it, where it may have used something. */
    usage: Usage.optional(),
  }),
  fact('person.answered', {
    callId: z.string(),
    answer: z.string(),
    /** The answer to a request for reading: `path` is the real place, without symbolic links, when it was answered. */
    access: z.strictObject({ granted: z.boolean(), path: z.string() }).optional(),
  }),
]);
export type TurnEvent = z.infer<typeof TurnEvent>;

/** What happens to a loop of whole attempts beside that. */
export const attemptFacts = [
  /** `reserved`: what the attempt may use at most. */
  fact('iteration.started', { iteration: count, startedAt: iso, reserved: Share.optional() }),
  ...childFacts,
] as const;

/** Everything that can happen to a loop of whole attempts. */
export const IterationEvent = z.discriminatedUnion('type', [...lifeFacts, ...attemptFacts]);
export type IterationEvent = z.infer<typeof IterationEvent>;

/** The whole vocabulary. This is the only parse between the world and a machine. */
export const LoopEvent = z.union([TurnEvent, IterationEvent]);
export type LoopEvent = TurnEvent | IterationEvent;

/** An event of one type, or of several. */
export type EventOf<Type extends LoopEvent['type']> = Extract<LoopEvent, { type: Type }>;

/** An event of any loop: a fact of ours, or one of its own. */
export interface AnyEvent {
  readonly type: string;
  readonly payload: object;
}

/** An event as a machine sees it: with its place and time in the run. */
export type Recorded<Event extends AnyEvent> = Event & { readonly at: string; readonly version: number };
