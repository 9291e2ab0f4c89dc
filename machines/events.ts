// Over 300 lines because it is the vocabulary of every loop: one list, so that each event and its payload is looked up
// in one place, and a reader of a log needs no other file.
import { z } from 'zod';
import { AgentReport, agentWork } from './agent-report.ts';
import { MAX_HOOKS, RanHook, ToldHook } from './hooks.ts';
import { AbortCause, Fault, Finding, Opinion, Outcome, ReachedLimit, Spend } from './outcome.ts';
import { ralphFacts } from './ralph-facts.ts';
import {
  Approver,
  BaseTests,
  FlickeringTests,
  MAX_NAMED,
  RecordedHeldOut,
  RecordedProof,
  CheckCost,
  RecordedSurroundings,
} from './recorded-proof.ts';
import { AskedPermission, GivenPermission } from './permissions.ts';
import { GivenForm, ServerQuestion } from './server-question.ts';
import { CheckSteps, RunSettings } from './settings.ts';
import { Json } from './json.ts';
import { Took } from './took.ts';
import { Reservation, Share, Usage } from './usage.ts';
import { fact, unchanged, vocabularyOf } from './vocabulary.ts';
import { contestFacts } from './contest-facts.ts';
import { improvementFacts } from './improvement-facts.ts';

const count = z.int().nonnegative();

const MAX_EFFECT_NAME_CHARS = 100;

/** The name or the key of an effect: the definition of the loop says which there are. */
const EffectName = z
  .string()
  .max(MAX_EFFECT_NAME_CHARS)
  .regex(/^[A-Za-z][\w-]*(\.[\w-]+)*$/);

/** A tool call of an answer. `callId` is our own (`step.index`), because providers repeat theirs. */
export const ToolCall = z.strictObject({
  callId: z.string(),
  providerId: z.string().nullable(),
  tool: z.string(),
  arguments: Json,
});
export type ToolCall = z.infer<typeof ToolCall>;

export { Price } from './price.ts';
export { Reservation, Share, Usage } from './usage.ts';
export { fact } from './vocabulary.ts';

/** How many of a check's failed tests are recorded by name. */
export const MAX_FAILING_TESTS = 100;

/** The single tests of a check, if its command writes a report in a known format. */
export const TestReport = z.strictObject({
  /** `list`: it printed none, and its runner has told us of each test. */
  format: z.enum(['junit', 'tap', 'json', 'list']),
  passed: count,
  failed: count,
  skipped: count,
  /** The first failed tests, by full name. */
  failing: z.array(z.strictObject({ name: z.string(), message: z.string() })).max(MAX_FAILING_TESTS),
});
export type TestReport = z.infer<typeof TestReport>;

export const CheckResult = z.strictObject({
  name: z.string(),
  /** The command exited with 0, and its report, if any, shows no failed test. */
  passed: z.boolean(),
  /** The end of the output of the command. */
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

/** The result of the configured `ci` command. */
export const CiResult = CheckResult.pick({ passed: true, output: true, exitCode: true, durationMs: true });
export type CiResult = z.infer<typeof CiResult>;

export const ChangedFile = z.strictObject({
  path: z.string(),
  added: count.nullable(),
  removed: count.nullable(),
});
export type ChangedFile = z.infer<typeof ChangedFile>;

/** A path that a capture leaves out although git does not ignore it, or that git has ignored only since. */
export const LeftOut = z.strictObject({
  /** From the root. A folder ends in a slash: everything in it. */
  path: z.string(),
  /** For people. */
  because: z.string(),
});
export type LeftOut = z.infer<typeof LeftOut>;

const Decision = fact(
  'decision.made',
  {
    action: z.enum(['continue', 'stop']),
    /** Present exactly when the action is `stop`. */
    sink: Outcome.optional(),
    reason: z.string(),
    /** Ids (`RUN/version`) of the events that the decision is based on. */
    evidence: z.array(z.string()),
    /** Text for the next prompt. */
    feedback: z.string().optional(),
    /** Data of the strategy, given back to it in the summary of this iteration. */
    strategy: z.strictObject({ name: z.string(), metadata: Json }).optional(),
    /** All findings since the last decision, whatever their level. */
    findings: z.array(Finding).optional(),
    /** The answers of those who were asked before a finding ended the run. Absent: there was no question. */
    opinions: z.array(Opinion).optional(),
    /** The usage of the model that was asked. */
    usage: Usage.optional(),
  },
  [unchanged, unchanged, unchanged, unchanged, unchanged],
).refine(({ payload: { action, sink } }) => (action === 'stop') === (sink !== undefined), {
  path: ['payload', 'sink'],
  error: 'expected a sink with the action stop, and none with continue',
});

const iso = z.iso.datetime({ precision: 3 });

/** The program that records from here on: `loopfold@0.1.0`. Absent in older logs. */
const program = z.string().optional();

/**
 * The worktree of the run was gone, and is made again. `from`: the number of the capture that has its files, 0 of the
 * run's start; `end`: the capture of when the run was left.
 */
export const Remade = z.strictObject({ from: z.union([count, z.literal('end')]), hash: z.string() });
export type Remade = z.infer<typeof Remade>;

/** Which of several effects of one kind it is, where a loop has several at once: `agent.LANE` is the key of each. */
const Lane = z.string().optional();

/** The events that every loop has. */
export const lifeFacts = [
  fact(
    'run.started',
    {
      machine: z.string(),
      settings: RunSettings,
      /**
       * Only for loops that do not ship: the path of the module, relative to the workspace, and the digest of its
       * chart.
       */
      module: z.strictObject({ path: z.string().nullable(), digest: z.string() }).optional(),
      program,
    },
    [
      unchanged,
      unchanged,
      unchanged,
      unchanged,
      unchanged,
      unchanged,
      unchanged,
      unchanged,
      unchanged,
      unchanged,
      unchanged,
      unchanged,
      unchanged,
    ],
  ),
  /** The first event of a continuation: the judge decides again, under these limits. `idleMs` as in `run.resumed`. */
  fact(
    'run.continued',
    {
      limits: RunSettings.shape.limits,
      attemptLimits: RunSettings.shape.attemptLimits,
      strategy: RunSettings.shape.strategy,
      detectors: RunSettings.shape.detectors,
      prices: RunSettings.shape.prices,
      idleMs: count,
      program,
      remade: Remade.optional(),
    },
    [unchanged, unchanged],
  ),
  fact(
    'run.paused',
    {
      /** `waiting`: only answers of users are pending. `environment`: the system had too little of something. */
      by: z.enum(['signal', 'user', 'waiting', 'environment']),
      /** What the system had too little of. */
      reason: z.string().optional(),
      /** An effect of the run, or of one below it, outlived the grace, and may still change files. */
      unfinished: z.literal(true).optional(),
      /** The effects (`version/n`) that had not started, because they were queued. */
      queued: z.array(z.string()).optional(),
    },
    [unchanged, unchanged],
  ),
  /** A user adds to the task of a running run: the next prompt contains `text`. */
  fact('run.steered', { text: z.string() }),
  /** `idleMs`: the idle time before it, which counts towards no wall-clock limit. */
  fact('run.resumed', { idleMs: count, program, remade: Remade.optional() }, [unchanged, unchanged]),
  /**
   * From here on a later version of its machine folds the run. Recorded before `run.resumed`, while no process owns it.
   */
  fact('run.migrated', { from: z.string(), to: z.string() }),
  fact('abort.requested', { cause: AbortCause, reason: z.string().nullable() }),
  /**
   * `usage`: the reservations of the effects that are given up, whose real usage can no longer be known.
   */
  fact('timer.fired', { timer: z.enum(['deadline', 'grace', 'ending', 'retry']), usage: Usage.optional() }),
  /**
   * `limit`: the limit of which the largest share is used. `hook`: the hook that has run, on a question or on silence;
   * one that has passed is no warning.
   */
  fact(
    'warning.raised',
    { code: z.string(), message: z.string(), limit: ReachedLimit.optional(), hook: ToldHook.optional() },
    [unchanged, unchanged],
  ),
  Decision,
  fact('summary.written', { text: z.string(), usage: Usage.optional() }),
  /** `hooks`: those that were told of the end. */
  fact(
    'strategy.ended',
    { strategy: z.string().nullable(), fault: Fault.nullable(), hooks: z.array(ToldHook).max(MAX_HOOKS).optional() },
    [unchanged],
  ),
  /**
   * An effect that was cancelled or lost in a crash, and will have no result. Models and tools have events of their
   * own for this.
   */
  fact(
    'effect.interrupted',
    {
      /** The key of the effect, without its lane. */
      actor: EffectName,
      lane: Lane,
      reason: z.string(),
      /** Its reservation, if it may have used some of it. */
      usage: Usage.optional(),
    },
    [unchanged, unchanged, unchanged],
  ),
  fact(
    'workspace.captured',
    {
      /** Hash of the whole work tree; null outside git. */
      hash: z.string().nullable(),
      ref: z.string().nullable(),
      /** Compared with the capture before it, or with HEAD. */
      changed: z.array(ChangedFile),
      /** The first of the paths that it lacks. Absent: none, or it was not asked. */
      leftOut: z.array(LeftOut).optional(),
    },
    [unchanged],
  ),
  fact('workspace.failed', { fault: Fault }),
  /** The checks on the tree that the run begins with, before anything is changed. */
  fact(
    'baseline.taken',
    {
      passed: z.boolean(),
      /** Hash of that tree. */
      workspace: z.string(),
      /** Every level is run, whether or not the one before it passes. */
      levels: z.array(LevelResult),
      /** Of each check whose tests are known by name. */
      tests: z.array(BaseTests),
      /** A check cannot run at all, so it says nothing about any work. */
      fault: Fault.optional(),
      /** The held-out checks on that tree. */
      heldOut: RecordedHeldOut.optional(),
      /** Absent: it was recorded before they were looked at. */
      surroundings: RecordedSurroundings.optional(),
      /** They are not demanded of any work. Absent: none is known, or the checks ran once. */
      flickering: z.array(FlickeringTests).optional(),
      /** Files that checks rest on, and that they wrote to: the first by path. Absent: none, or it was not asked. */
      touched: z.array(z.string()).max(MAX_NAMED).optional(),
      /** Checks of several steps: each of them ran as a check of its own. Absent: none, or it was not asked. */
      steps: z.array(CheckSteps).optional(),
      /** Tests that turned by themselves in earlier runs of this repository: they show nothing when they turn. */
      ledger: z.array(FlickeringTests).optional(),
      /** What running them took. Absent: the system does not say it, or it was not measured. */
      cost: CheckCost.optional(),
    },
    [unchanged],
  ),
  fact(
    'verification.completed',
    {
      passed: z.boolean(),
      workspace: z.string().nullable(),
      /** Empty if there was nothing to check: then nothing is verified. */
      levels: z.array(LevelResult),
      ci: CiResult.optional(),
      /** Absent: the checks ran in the workspace, as the attempt left it. */
      proof: RecordedProof.optional(),
      /** Without a proof, from before such checks had a grade: set where an older schema is read. */
      ungraded: z.literal(true).optional(),
    },
    [
      unchanged,
      unchanged,
      (payload) => (payload['proof'] ? payload : { ...payload, ungraded: true }),
      unchanged,
      unchanged,
    ],
  ),
] as const;

/**
 * The further events of a loop that asks a person about changed grounds: they let them count, or not, and exactly
 * those of the newest dispute.
 */
export const groundsFacts = [
  fact(
    'grounds.approved',
    {
      digest: z.string(),
      reason: z.string().nullable(),
      /** Absent: not known, or not a person at a door of their own. */
      by: Approver.optional(),
    },
    [unchanged, unchanged],
  ),
  fact('grounds.denied', { digest: z.string(), reason: z.string().nullable() }),
] as const;

const childSettled = fact(
  'child.settled',
  {
    child: z.string(),
    outcome: Outcome,
    answer: z.string(),
    /** The text of its last message, where a call in that message gave the answer. */
    text: z.string().optional(),
    spend: Spend,
    /** Texts that a user steered it with: later attempts are told, too. */
    steering: z.array(z.string()).optional(),
    /** The call that it is the result of, if a model delegated the work. */
    callId: z.string().optional(),
    lane: Lane,
    /** An effect of an ended run below outlived the grace of this one, too, and may still change files. */
    unfinished: z.literal(true).optional(),
  },
  [unchanged, unchanged, unchanged, unchanged, unchanged, unchanged, unchanged],
);

const ofChild = { child: z.string(), callId: z.string().optional(), lane: Lane };
const childAsked = fact('child.asked', ofChild, [unchanged]);
const childAnswered = fact('child.answered', ofChild, [unchanged]);

/** Events about a child run: it waits for a user, continues, has ended. */
const childFacts = [childAsked, childAnswered, childSettled] as const;

/** The events that can be read of every run, even if its loop is unknown. */
export const commonVocabulary = vocabularyOf(z.union([...lifeFacts, ...groundsFacts, ...childFacts]));

/** Whether an event means the same in every loop. Every other event belongs to the loop that records it. */
export const isShared = ({ type }: AnyEvent): boolean => commonVocabulary.has(type);

/** Why an attempt has no known result: cancelled, or lost in a crash. Null for every other event. */
export const lostAttempt = ({ type, payload }: LoopEvent): string | null =>
  type === 'effect.interrupted' && payload.actor === 'agent' ? payload.reason : null;

/** All events of a turn. Each is a fact in the past tense. */
export const TurnEvent = z.discriminatedUnion('type', [
  ...lifeFacts,
  ...groundsFacts,
  /** `reserved`: the expected usage of the step's model call, reserved until the real usage is known. */
  fact('step.started', { step: count, startedAt: iso, reserved: Reservation.optional() }),
  fact(
    'model.completed',
    {
      text: z.string(),
      calls: z.array(ToolCall),
      usage: Usage,
      /** The model that answered. */
      model: z.string().optional(),
      /**
       * It is no finished work: cut off by its length, held back by a content filter, refused by the model, or ended
       * because the window of the model was full. Or it did nothing: it had no text and no call that may run (`empty`),
       * or announced a call and made none (`promised`). Records from before these two lack them.
       */
      cut: z.enum(['length', 'filter', 'refusal', 'context', 'empty', 'promised']).optional(),
      /** The model wrote its calls as text, in a format of its family: `text` is what stood before them. */
      callsFrom: z.literal('text').optional(),
      /** Data that the provider wants back with the answer: signatures, encrypted reasoning. */
      continuity: Json.optional(),
      /** It was an agent of others, with tools of its own. Absent: a model. */
      agent: AgentReport.optional(),
    },
    [unchanged, unchanged, unchanged, unchanged],
  ),
  /** While an agent of others works: what it has done since the event before, within bounds. */
  fact('agent.worked', agentWork),
  /** `agent` as in `model.completed`. */
  fact('model.failed', { fault: Fault, usage: Usage, agent: AgentReport.optional() }, [unchanged, unchanged]),
  /** `cause`: the answer was stopped because it repeated itself (degenerate output). */
  fact('model.interrupted', {
    reason: z.string(),
    text: z.string(),
    usage: Usage,
    cause: z.enum(['chant']).optional(),
  }),
  fact('model.retried', { attempt: z.int().positive(), fault: Fault, usage: Usage, retryAt: iso.optional() }),
  /** The provider limits the rate of requests: a wait, not a failure. */
  fact('model.limited', { retryAt: iso, fault: Fault.optional() }),
  /** From here on the fallback model is asked, because retries of the first did not help. */
  fact('model.replaced', { from: z.string(), to: z.string(), fault: Fault }),
  /** `refusedTokens`: the estimated size of the request that the provider has refused as too long. */
  fact('context.filled', { usage: Usage, refusedTokens: count.optional() }, [unchanged]),
  /** `kept`: how many of the newest messages stay as they are after the summary, and their length. */
  fact(
    'context.compacted',
    {
      summary: z.string(),
      usage: Usage,
      kept: z.strictObject({ messages: count, characters: count }).optional(),
    },
    [unchanged],
  ),
  fact(
    'calls.admitted',
    {
      run: z.array(
        z.strictObject({
          callId: z.string(),
          /** The effect that answers the call. */
          actor: EffectName,
          /** Its share of the run's budget. Only calls that can spend have one. */
          share: Share.optional(),
          /** A person is asked whether it may be tried: then it is made again. */
          permission: AskedPermission.optional(),
        }),
      ),
      refused: z.array(z.strictObject({ callId: z.string(), reason: z.string() })),
      /** The reasons why detectors refused calls. */
      findings: z.array(Finding).optional(),
    },
    [unchanged, unchanged],
  ),
  /** About tasks that the model delegated. */
  ...childFacts,
  /** `took`: the time of its command. Absent: it ran none, or is older than these figures. */
  fact(
    'tool.completed',
    {
      callId: z.string(),
      output: z.string(),
      /** The tool declares the work finished, with this answer. */
      answer: z.string().optional(),
      took: Took.optional(),
      /** The hooks of people around it, in order. Absent: none ran. */
      hooks: z.array(RanHook).max(MAX_HOOKS).optional(),
    },
    [unchanged, unchanged],
  ),
  /** `took` as in `tool.completed`: until the command was ended. `hooks` as there. */
  fact(
    'tool.failed',
    {
      callId: z.string(),
      fault: Fault,
      took: Took.optional(),
      hooks: z.array(RanHook).max(MAX_HOOKS).optional(),
    },
    [unchanged, unchanged],
  ),
  /** The outcome is unknown: the process or the run was stopped during the call. */
  fact('tool.interrupted', {
    callId: z.string(),
    reason: z.string(),
    /** Its reservation, if it may have used some of it. */
    usage: Usage.optional(),
  }),
  /**
   * The server of a tool asks a person before its call can go on: the call waits, and continues with the answer, or is
   * made again with it where the server does not wait any more. Walls that have refused a command ask the same way.
   */
  fact('server.asked', { callId: z.string(), question: ServerQuestion }, [unchanged]),
  /** `answer`: in words, for people. */
  fact('server.answered', { callId: z.string(), answer: z.string(), form: GivenForm }),
  fact(
    'person.answered',
    {
      callId: z.string(),
      answer: z.string(),
      /**
       * The answer to a request for access: `path` is the real path, without symbolic links, at that time, or a
       * place of a network. `opens`: to commands, through their walls. Absent: to file tools, to read.
       */
      access: z
        .strictObject({ granted: z.boolean(), path: z.string(), opens: z.enum(['network', 'write']).optional() })
        .optional(),
      /** The answer to the question whether a call may be tried. */
      permission: GivenPermission.optional(),
    },
    [unchanged, unchanged, unchanged],
  ),
]);
export type TurnEvent = z.infer<typeof TurnEvent>;

/** The further events of a loop of whole attempts. */
export const attemptFacts = [
  /** `reserved`: the most that the attempt may use. */
  fact('iteration.started', { iteration: count, startedAt: iso, reserved: Share.optional() }),
  ...childFacts,
] as const;

/** All events of a loop of whole attempts. */
export const IterationEvent = z.discriminatedUnion('type', [...lifeFacts, ...groundsFacts, ...attemptFacts]);
export type IterationEvent = z.infer<typeof IterationEvent>;

/** All events of a loop of whole attempts that keeps a state file. */
export const RalphEvent = z.discriminatedUnion('type', [...lifeFacts, ...groundsFacts, ...attemptFacts, ...ralphFacts]);
export type RalphEvent = z.infer<typeof RalphEvent>;

/** All events of the improvement loop. */
export const ImprovementEvent = z.discriminatedUnion('type', [...lifeFacts, ...attemptFacts, ...improvementFacts]);
export type ImprovementEvent = z.infer<typeof ImprovementEvent>;

/** All events of a contest of attempts. */
export const ContestEvent = z.discriminatedUnion('type', [
  ...lifeFacts,
  ...groundsFacts,
  ...attemptFacts,
  ...contestFacts,
]);
export type ContestEvent = z.infer<typeof ContestEvent>;

/** The whole vocabulary. Every event is parsed by it before a machine sees it. */
export const LoopEvent = z.union([TurnEvent, IterationEvent, RalphEvent, ImprovementEvent, ContestEvent]);
export type LoopEvent = TurnEvent | IterationEvent | RalphEvent | ImprovementEvent | ContestEvent;

/** An event of one type, or of several. */
export type EventOf<Type extends LoopEvent['type']> = Extract<LoopEvent, { type: Type }>;

/** An event of any loop: from this vocabulary, or the loop's own. */
export interface AnyEvent {
  readonly type: string;
  readonly payload: object;
}

/** An event as a machine sees it: with its version and time in the run. */
export type Recorded<Event extends AnyEvent> = Event & { readonly at: string; readonly version: number };
