// Over 300 lines because it is one list: each setting of a run is looked up in one place.
import { z } from 'zod';
import { Hook } from './hooks.ts';
import { Json } from './json.ts';
import { ModelParameters } from './model-parameters.ts';
import { Price } from './price.ts';
import { Permissions } from './permissions.ts';
import { PromptImage } from './prompt-image.ts';
import { MAX_NAMED } from './recorded-proof.ts';

const cap = z.int().nonnegative().nullable();

/** Every limit of one run; null is unlimited. Runs without any cap are refused earlier, by the configuration. */
export const Limits = z.strictObject({
  maxSteps: cap,
  maxToolCalls: cap,
  maxTokens: cap,
  maxIterations: cap,
  maxTimeMs: cap,
  /** Billionths of a US dollar. */
  maxCostNanoUsd: cap.optional(),
});
export type Limits = z.infer<typeof Limits>;

/** One command that must exit with 0. */
export const Check = z.strictObject({
  level: z.enum(['L0', 'L1', 'L2', 'L3']),
  name: z.string(),
  command: z.string(),
  timeoutMs: z.int().positive(),
  /**
   * The file in which the command writes a report of its single tests, relative to the workspace. Its output is
   * parsed in any case.
   */
  report: z.string().optional(),
  /** It may use the network where it is checked out for a proof. In the workspace every check may. */
  network: z.boolean().optional(),
  /** It only reads the work, as a compiler does, and runs none of it: it counts as one test, named after it. */
  reads: z.boolean().optional(),
});
export type Check = z.infer<typeof Check>;

/** A check of several commands, and the checks that its steps are, in order. */
export const CheckSteps = z.strictObject({ check: z.string(), steps: z.array(Check).min(2) });
export type CheckSteps = z.infer<typeof CheckSteps>;

/** One detector, or a whole profile, by name; a detector may have its own configuration. */
export const DetectorChoice = z.union([
  z.string(),
  z.strictObject({ name: z.string(), config: z.record(z.string(), z.json()) }),
]);
export type DetectorChoice = z.infer<typeof DetectorChoice>;

/** A run that works in a worktree of its own, and not in the folder that it was given. */
export const Isolation = z.strictObject({
  kind: z.literal('worktree'),
  /** The folder that was given, absolute: the run's `directory` is the same folder in the worktree. */
  origin: z.string(),
  /** The top folder of the worktree, absolute. */
  top: z.string(),
  /** The git directory, of the origin, that keeps the run's captures. */
  repository: z.string(),
  /** Hash of the tree that the worktree was made from. */
  base: z.string(),
  /** The commit that has that tree. Absent: the worktree was made from the files as they were. */
  commit: z.string().optional(),
  /** Installed dependencies that git does not keep, and how the worktree got them. */
  dependencies: z.array(
    z.strictObject({
      /** From the top folder of the worktree. */
      path: z.string(),
      /** `overlay` is for hosts that run everything in a mount namespace: the local host does not. */
      by: z.enum(['overlay', 'copy-on-write', 'hard-links', 'link']),
      /** Of the files that are shared with the origin, as they were at the start: they must be the same afterwards. */
      fingerprint: z.string().optional(),
    }),
  ),
});
export type Isolation = z.infer<typeof Isolation>;

/** A ground that an earlier run changed, which no person has approved. */
const InheritedGround = z.strictObject({ path: z.string(), run: z.string() });
export type InheritedGround = z.infer<typeof InheritedGround>;

/** Checks, and the files that only they get: the agent is not to know them. */
const HeldOutSettings = z.strictObject({
  /** The folder of the files, absolute. */
  from: z.string(),
  /** SHA-256 of the paths and contents of its files when the run began. */
  digest: z.string(),
  checks: z.array(Check),
  /** What the agent is told of those that fail. */
  tells: z.enum(['count', 'names', 'all']),
});
export type HeldOutSettings = z.infer<typeof HeldOutSettings>;

/** How the checks of a run prove its work: in a checkout of what was recorded, with the files of its beginning. */
const ProofSettings = z.strictObject({
  /** Hash of the tree that the run begins with: no commit or branch that the agent makes moves it. */
  base: z.string(),
  /** Hash of the tree of the workspace, where the base has other grounds. Absent: it is the base. */
  start: z.string().optional(),
  /** Grounds of which the base has what was there before earlier runs: the first by path. */
  inherited: z.array(InheritedGround).max(MAX_NAMED).optional(),
  /** When it was captured. */
  at: z.iso.datetime({ precision: 3 }),
  /** The commit that was checked out then. Null: there was none. */
  head: z.string().nullable(),
  /** Globs of files that are grounds, too, and of files that are not, against a convention. */
  protect: z.array(z.string()),
  unprotect: z.array(z.string()),
  /** Names or paths of folders of installed dependencies. */
  dependencies: z.array(z.string()),
  /** Files that git ignores and that each checkout gets, from the top of the repository, as they were at the start. */
  provided: z.array(z.strictObject({ path: z.string(), sha256: z.string() })).optional(),
  /** Commands that run in each checkout before its checks, with the network. */
  prepare: z.array(z.string()).optional(),
  /** Of the home, what checkouts get to read beside known homes of tools: paths from there. */
  homePaths: z.array(z.string()).optional(),
  /** They run after the checks have passed. */
  heldOut: HeldOutSettings.optional(),
  /** Globs of grounds whose changes a person lets count from the start, where work rests on them. */
  allowGrounds: z.array(z.string()).optional(),
  /** The run does not wait for a person who decides about changed grounds. */
  wait: z.literal(false).optional(),
  /** A base that passes all checks ends the run. */
  requireRed: z.literal(true).optional(),
  /** Nothing is checked without walls, or with them. Absent: they stand where they can. */
  walls: z.enum(['required', 'off']).optional(),
  /** No tests that must fail are added. */
  control: z.literal('off').optional(),
  /** The work as it is does not run: with the grounds of the base alone. */
  legs: z.literal('base').optional(),
});
export type ProofSettings = z.infer<typeof ProofSettings>;

/** What a run does, in the terms of people who wait for it. */
export const ActivityStatus = z.enum(['started', 'continuing', 'quiet', 'completed', 'max_iterations', 'stopped']);
export type ActivityStatus = z.infer<typeof ActivityStatus>;

/** Where a run reports its status. */
const Webhook = z.strictObject({
  url: z.string(),
  /** The environment variable with the secret that signs each report. Null: reports are not signed. */
  secretVariable: z.string().nullable(),
  statuses: z.array(ActivityStatus),
});

/** One message of an earlier conversation. Every call is followed by its result. */
const EarlierMessage = z.discriminatedUnion('role', [
  z.strictObject({
    role: z.literal('user'),
    text: z.string(),
    /** Without their content: the run that was started with them has it. */
    images: z.array(PromptImage.omit({ data: true })).optional(),
  }),
  z.strictObject({
    role: z.literal('assistant'),
    text: z.string(),
    calls: z.array(
      z.strictObject({ callId: z.string(), providerId: z.string().nullable(), tool: z.string(), arguments: z.json() }),
    ),
  }),
  z.strictObject({
    role: z.literal('tool'),
    callId: z.string(),
    tool: z.string(),
    output: z.string(),
    failed: z.boolean(),
  }),
]);
export type EarlierMessage = z.infer<typeof EarlierMessage>;

/** A file of the project that says how to work there, as it was when the run began. */
const Instruction = z.strictObject({
  /** From the top of the repository. */
  path: z.string(),
  /** Without the sections that define agents. */
  text: z.string(),
  /** It is the beginning of a file of so many bytes. Absent: it is all of it. */
  cutFrom: z.int().positive().optional(),
});
export type Instruction = z.infer<typeof Instruction>;

/** Several runs of which each continues the conversation of the one before. */
const Thread = z.strictObject({
  /** The run before this one. Null: it is the first. */
  continues: z.string().nullable(),
  /** What the runs before have used: tokens, and billionths of a US dollar where a price was known. */
  tokens: z.int().nonnegative(),
  nanoUsd: z.int().nonnegative(),
  /** The cap on what all of them cost, in billionths of a US dollar. Null: none. */
  maxCostNanoUsd: z.int().nonnegative().nullable(),
  /** The cap of the run alone, before what is left for the thread lowered it. Null: none. */
  ownMaxCostNanoUsd: z.int().nonnegative().nullable(),
});
export type Thread = z.infer<typeof Thread>;

/** The reach of the commands of an agent behind walls. They do not run where these cannot stand. */
export const Sandbox = z.strictObject({
  /** `none`, `all`, or hosts and ports with commas: `registries` stands there as the hosts that were meant. */
  network: z.string(),
  /** Paths that they may write to, beside the workspace: absolute. */
  writable: z.array(z.string()),
  /** Absent: those that loopfold has. */
  limits: z.string().optional(),
});
export type Sandbox = z.infer<typeof Sandbox>;

/** All settings of a run, so that it can be resumed from its log alone. */
export const RunSettings = z.strictObject({
  /** The name of a loop: the run is folded by the newest version that its host knows. */
  loop: z.string(),
  prompt: z.string(),
  /** What the prompt shows. */
  images: z.array(PromptImage).optional(),
  /**
   * The end of an earlier conversation, oldest first, that the prompt continues; at most 4 MiB. Absent: the prompt
   * begins the conversation.
   */
  history: z.array(EarlierMessage).optional(),
  /** The session of an agent of others, of the attempt before, that this one continues. */
  session: z.string().optional(),
  system: z.string().nullable(),
  /** The version of the built-in prompt that `system` is, such as `coder@1`. Absent: `system` was given, or is null. */
  systemVersion: z.string().optional(),
  /** What the project says about working in it: a part of the system prompt, from the top of the repository down. */
  instructions: z.array(Instruction).optional(),
  /** The end of the system prompt. */
  systemAppend: z.string().optional(),
  /** `script:FILE`, or the name of a model that the host provides. */
  model: z.string(),
  /** The model that is asked when retries of the first do not help. */
  fallbackModel: z.string().nullable().optional(),
  /** Absent: all is left to the provider. */
  parameters: ModelParameters.optional(),
  /** The name of the agent file that these settings are from. */
  agent: z.string().nullable().optional(),
  tools: z.array(z.string()),
  /** The length of the tools' descriptions, which every request has beside the conversation. Absent: unknown. */
  toolCharacters: z.int().nonnegative().optional(),
  /** Names of further environment variables that commands and checks see. */
  environment: z.array(z.string()).optional(),
  /** Walls around the commands of its agent. Absent: there are none. */
  sandbox: Sandbox.optional(),
  /** The calls that it may try. Absent: all that its walls and its tools allow. */
  permissions: Permissions.optional(),
  /** Commands of a person that run at its moments. Absent: none. */
  hooks: z.array(Hook).optional(),
  /** The final answer of its model is one JSON value that fits this JSON Schema. Absent: any text. */
  answerSchema: Json.optional(),
  /** The workspace. */
  directory: z.string(),
  limits: Limits,
  /** How many calls of one answer run at once. Absent: all of them. */
  maxParallel: z.int().positive().optional(),
  /** For a loop of attempts: the limits of each attempt. */
  attemptLimits: Limits.nullable(),
  checks: z.array(Check),
  /** The lowest grade of a success that is enough, in place of `verified` with a control of every check. */
  accept: z.enum(['verified', 'weak']).optional(),
  /** Runs after the checks if none of them failed. It verifies nothing; strategies get the result. */
  ci: z.strictObject({ command: z.string(), timeoutMs: z.int().positive() }).nullable().optional(),
  strategy: z.strictObject({ name: z.string(), config: z.json() }).nullable(),
  /** The options of its loop. */
  options: z.json().optional(),
  /** Later ones complete or replace earlier ones. Absent: the profile `default`. */
  detectors: z.array(DetectorChoice).optional(),
  /** The model that is asked before a detector ends the run. Absent: none is. */
  judge: z.string().optional(),
  /** Commands of the shell that are meant to be repeated, as patterns with `*`. Absent: none. */
  polling: z.array(z.string()).optional(),
  /**
   * Tokens reserved for a summary that the model writes when a limit ends the run. Absent or 0: the summary is built
   * from the events.
   */
  summaryTokens: z.int().nonnegative().optional(),
  /** By the name of the model. Required before the first call if the cost is limited. */
  prices: z.record(z.string(), Price).optional(),
  /** The folder for projections of the log as files, relative to the workspace. */
  stateDirectory: z.string().nullable().optional(),
  /** Larger files that git does not track are in no capture: bytes. Absent: those over 50 MiB. */
  captureLimit: z.int().positive().optional(),
  /** Absent: the run works in the folder that it was given. */
  isolation: Isolation.optional(),
  /** Absent: the checks run in the workspace, as an attempt leaves it. */
  proof: ProofSettings.optional(),
  /** Absent: it is no part of a conversation of several runs. */
  thread: Thread.optional(),
  /** Absent: it reports nowhere. */
  webhooks: z.array(Webhook).optional(),
  /** How long an aborted run waits for the results of cancelled effects. */
  graceMs: z.int().nonnegative(),
  /** The effect (`RUN/version/n`) of the parent that this run executes, and which attempt it is. */
  parent: z
    .strictObject({
      run: z.string(),
      effect: z.string(),
      iteration: z.int().nonnegative(),
      /** The delegations that led to this run, from the root on: one digest of agent and task each. */
      lineage: z.array(z.string()).optional(),
    })
    .nullable(),
});
export type RunSettings = z.infer<typeof RunSettings>;
