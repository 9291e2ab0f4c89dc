import { z } from 'zod';
import { LevelResult } from '../../../machines/events.ts';
import { Ending, Finding } from '../../../machines/outcome.ts';

// Everything that the page of a run shows, as data: the HTTP API, the page in a browser and both exports have it.

const count = z.int().nonnegative();
const time = z.string();

/** A run, and where it stands, in words for people. */
export const Standing = z.object({
  kind: z.enum(['ended', 'running', 'waiting', 'paused', 'interrupted', 'damaged']),
  words: z.string(),
  /** How many people are to answer. */
  asks: count,
});
export type Standing = z.infer<typeof Standing>;

/** A question, a request for access or an approval that waits for a person. */
export const AskedView = z.object({
  /** The run at the top of its tree: commands are sent to it. */
  root: z.string(),
  run: z.string(),
  callId: z.string(),
  kind: z.enum(['question', 'access', 'approval']),
  text: z.string(),
  choices: z.array(z.string()),
  /** What exactly is allowed, and its digest. */
  allows: z.string().nullable(),
  digest: z.string().nullable(),
  /** What may be allowed for good in the run. */
  remembers: z.array(z.string()),
  /** The change that an approval is about, as a patch, where there is one. */
  diff: z.string().nullable(),
  askedAt: time,
});
export type AskedView = z.infer<typeof AskedView>;

const TestsView = z.object({ passed: count, failed: count, skipped: count });

/** A check of a round. `turned`: it failed in the round before. */
export const CheckView = z.object({
  level: LevelResult.shape.level,
  name: z.string(),
  passed: z.boolean(),
  durationMs: count,
  tests: TestsView.nullable(),
  failing: z.array(z.object({ name: z.string(), message: z.string() })),
  /** Tests that failed in the round before, and do not now. */
  turned: z.array(z.string()),
  output: z.string(),
});
export type CheckView = z.infer<typeof CheckView>;

export const FileView = z.object({ path: z.string(), added: count.nullable(), removed: count.nullable() });
export type FileView = z.infer<typeof FileView>;

/** One round of a run: what was tried, what came of it, and what was decided. */
export const RoundView = z.object({
  /** 1-based. */
  number: z.int().positive(),
  startedAt: time,
  durationMs: count.nullable(),
  child: z.string().nullable(),
  /** How the attempt ended, in words. */
  attempt: z.string().nullable(),
  answer: z.string(),
  changed: z.array(FileView),
  passed: z.boolean().nullable(),
  checks: z.array(CheckView),
  decision: z.object({ version: count, action: z.enum(['continue', 'stop']), reason: z.string() }).nullable(),
  findings: z.array(z.string()),
  remarks: z.array(z.string()),
  tokens: count,
  costNanoUsd: count.nullable(),
});
export type RoundView = z.infer<typeof RoundView>;

/** A limit with what of it is used and reserved, in its unit. */
export const LimitView = z.object({
  name: z.string(),
  used: count,
  reserved: count,
  limit: count,
  unit: z.enum(['count', 'ms', 'nano_usd']),
});
export type LimitView = z.infer<typeof LimitView>;

const ModelView = z.object({
  model: z.string(),
  requests: count,
  inputTokens: count,
  outputTokens: count,
  cachedInputTokens: count,
  reasoningTokens: count,
  costNanoUsd: count.nullable(),
});
export type ModelView = z.infer<typeof ModelView>;

export const EndingView = z.object({
  kind: Ending,
  /** With its worth, such as `success, verified`. */
  words: z.string(),
  reason: z.string(),
  version: count,
  at: time,
  evidence: z.array(z.object({ id: z.string(), at: time, type: z.string(), text: z.string() })),
});
export type EndingView = z.infer<typeof EndingView>;

/** What a person can do next. `command`: what is typed in a terminal. */
export const NextView = z.object({
  action: z.enum(['answer', 'resume', 'extend', 'redecide', 'prove', 'show', 'none']),
  words: z.string(),
});
export type NextView = z.infer<typeof NextView>;

/** The page of a run. Times are RFC 3339, money is in billionths of a US dollar. */
export const RunView = z.object({
  run: z.string(),
  root: z.string(),
  /** The run whose effect it performs. */
  parent: z.string().nullable(),
  loop: z.string(),
  machine: z.string(),
  strategy: z.string().nullable(),
  model: z.string(),
  directory: z.string(),
  task: z.string(),
  standing: Standing,
  ending: EndingView.nullable(),
  next: z.array(NextView),
  startedAt: time,
  at: time,
  version: count,
  continues: z.object({ run: z.string(), version: count }).nullable(),
  continuedAs: z.array(z.string()),
  summary: z.string().nullable(),
  answer: z.string(),
  rounds: z.array(RoundView),
  /** What the loop's own events put on the page: each row has a cell for each column. */
  table: z.object({ columns: z.array(z.string()), rows: z.array(z.array(z.string())) }).nullable(),
  /** The newest checks. */
  checks: z.array(CheckView),
  checksPassed: z.boolean().nullable(),
  /** What they rest on and what that is worth, in lines. */
  evidence: z.array(z.string()),
  /** What could not be seen, and what keeps a success from a better worth. */
  unseen: z.array(z.string()),
  files: z.array(FileView),
  questions: z.array(AskedView),
  /** What a person has to mend outside of the program before it goes on. */
  remedy: z.string().nullable(),
  warnings: z.array(z.string()),
  findings: z.array(Finding.pick({ detector: true, level: true, message: true }).extend({ version: count })),
  limits: z.array(LimitView),
  models: z.array(ModelView),
  phases: z.array(z.object({ phase: z.string(), tokens: count, costNanoUsd: count })),
  toolCalls: count,
  tokens: count,
  costNanoUsd: count.nullable(),
  retries: count,
  idleMs: count,
  /** Runs below it: attempts and delegated work. */
  children: z.array(z.string()),
  /** Its loop reports on it as a whole. */
  isReported: z.boolean(),
  /** Events that cannot be read here. */
  unreadable: count,
});
export type RunView = z.infer<typeof RunView>;
