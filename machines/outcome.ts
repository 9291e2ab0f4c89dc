import { z } from 'zod';
import { AGENT_FAILED } from './agent-report.ts';

/** The five ways a loop can end. Each is a final state of every machine. */
export const Ending = z.enum(['success', 'cap_hit', 'doom_loop', 'budget', 'abort']);
export type Ending = z.infer<typeof Ending>;

/** Why something failed: a stable code for programs, a sentence for users. */
export const Fault = z.strictObject({ code: z.string(), message: z.string() });
export type Fault = z.infer<typeof Fault>;

/** The codes of faults of a model that has answered, with what is no answer: nothing is wrong with the provider. */
export const NO_ANSWER = {
  cut: 'answer-cut',
  refused: 'refused',
  filtered: 'filtered',
  full: 'context-full',
  empty: 'answer-empty',
  promised: 'call-promised',
  unfit: 'answer-unfit',
} as const;
const NO_ANSWERS: ReadonlySet<string> = new Set([...Object.values(NO_ANSWER), ...Object.values(AGENT_FAILED)]);

/** A limit that was reached. `used` and `limit` are in the unit the name says. */
export const ReachedLimit = z.strictObject({
  name: z.enum(['steps', 'iterations', 'time_ms', 'tool_calls', 'tokens', 'cost_nano_usd']),
  used: z.int().nonnegative(),
  limit: z.int().nonnegative(),
  /** Of the limit, what is set aside and not spent: for the summary at the end of the run. */
  reserved: z.int().nonnegative().optional(),
  /** What the next call needed, if that is more than was left. */
  next: z.int().nonnegative().optional(),
  /** The same numbers as people have changed them in a file: texts have these. */
  shown: z.strictObject({ used: z.int().nonnegative(), limit: z.int().nonnegative() }).optional(),
});
export type ReachedLimit = z.infer<typeof ReachedLimit>;

/** What a detector noticed, or why a strategy stops by its own rule. */
export const Finding = z.strictObject({
  detector: z.string(),
  level: z.enum(['observe', 'nudge', 'block', 'stop']),
  count: z.int().nonnegative(),
  message: z.string(),
  /** Ids (`RUN/version`) of the events that show it. */
  evidence: z.array(z.string()),
  /** The calls that a `block` refuses, by their ids. */
  calls: z.array(z.string()).optional(),
});
export type Finding = z.infer<typeof Finding>;

/** Who was asked before a finding ended the run, and said what. `go on`: that finding's count began anew. */
export const Opinion = z.strictObject({
  detector: z.string(),
  by: z.enum(['model', 'person']),
  answer: z.enum(['go on', 'stop']),
  /** In their words. */
  because: z.string(),
});
export type Opinion = z.infer<typeof Opinion>;

/**
 * How hard it is to forge that the checks passed: the rules are in `src/evidence/grade.ts`. `not regressed` is of an
 * improvement that a person let be kept: nothing was lost, and nothing shows that it is done.
 */
export const Grade = z.enum(['witnessed', 'approved', 'verified', 'weak', 'not regressed']);
export type Grade = z.infer<typeof Grade>;

/** A workspace that passed its checks. `workspace` is null outside git: then this holds for its round only. */
export const Verified = z.strictObject({
  version: z.int().positive(),
  workspace: z.string().nullable(),
  /** Absent: recorded before checks that ran in the workspace, as the attempt left it, had a grade. */
  grade: Grade.optional(),
  /**
   * Whether that is enough, by what the run was started to accept: a run for which it is not exits with 16. Absent:
   * recorded before this was said, when all but `weak` was.
   */
  enough: z.boolean().optional(),
});
export type Verified = z.infer<typeof Verified>;

/** The best of several attempts that failed checks, accepted because the strategy is configured to. */
export const Accepted = z.strictObject({
  /** 0-based. */
  iteration: z.int().nonnegative(),
  /** The workspace as that attempt left it, and the ref that keeps it. */
  workspace: z.string().nullable(),
  ref: z.string().nullable(),
  /** The checks that still fail, as `level/name`. */
  failing: z.array(z.string()),
});
export type Accepted = z.infer<typeof Accepted>;

export const AbortCause = z.enum(['user', 'signal', 'parent', 'error']);
export type AbortCause = z.infer<typeof AbortCause>;

/** The fault code where the provider has no such model, or nothing at that address. */
export const MODEL_UNKNOWN = 'model_unknown';

/** An ending with the evidence for it. */
export const Outcome = z.discriminatedUnion('ending', [
  z.strictObject({
    ending: z.literal('success'),
    /** Null if no checks are configured. */
    verified: Verified.nullable(),
    partial: z.boolean(),
    /** Present if `partial`. */
    accepted: Accepted.optional(),
  }),
  z.strictObject({ ending: z.literal('cap_hit'), limit: ReachedLimit }),
  z.strictObject({ ending: z.literal('doom_loop'), finding: Finding }),
  z.strictObject({ ending: z.literal('budget'), limit: ReachedLimit }),
  z.strictObject({ ending: z.literal('abort'), cause: AbortCause, fault: Fault.nullable() }),
]);
export type Outcome = z.infer<typeof Outcome>;

/**
 * Whether an attempt ended for a reason of its own: the model gave no answer that it could continue from, or an agent
 * of others did not end its work. Another attempt may end otherwise, so the loop above goes on; any other abort ends
 * it too.
 */
export const isUnanswered = (outcome: Outcome): boolean =>
  outcome.ending === 'abort' && outcome.cause === 'error' && NO_ANSWERS.has(outcome.fault?.code ?? '');

/** What a loop has used up. */
export const Spend = z.strictObject({
  inputTokens: z.int().nonnegative(),
  outputTokens: z.int().nonnegative(),
  toolCalls: z.int().nonnegative(),
  steps: z.int().nonnegative(),
  /** Billionths of a US dollar, over the calls whose price was known. Absent if none was. */
  costNanoUsd: z.int().nonnegative().optional(),
  /** How many of the tokens above are estimates. Absent if none are. */
  estimatedTokens: z.int().nonnegative().optional(),
});
export type Spend = z.infer<typeof Spend>;

export const NO_SPEND: Spend = { inputTokens: 0, outputTokens: 0, toolCalls: 0, steps: 0 };

/** The sum of two spends. */
export function addSpend(one: Spend, other: Spend): Spend {
  const sum: { -readonly [Amount in keyof Spend]: Spend[Amount] } = {
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    toolCalls: one.toolCalls + other.toolCalls,
    steps: one.steps + other.steps,
  };
  // Unknown amounts count as 0; the sum is absent when both are unknown.
  if (one.costNanoUsd !== undefined || other.costNanoUsd !== undefined)
    sum.costNanoUsd = (one.costNanoUsd ?? 0) + (other.costNanoUsd ?? 0);
  if (one.estimatedTokens !== undefined || other.estimatedTokens !== undefined)
    sum.estimatedTokens = (one.estimatedTokens ?? 0) + (other.estimatedTokens ?? 0);
  return sum;
}
