import type { Outcome, Spend } from '../../../machines/outcome.ts';
import type { CheckCost } from '../../../machines/recorded-proof.ts';
import type { DecidingFile } from '../../config/settings-places.ts';
import type { Account, ModelAccount } from '../../projections/run-account.ts';
import type { Question } from '../../projections/questions.ts';
import type { RoundRow } from '../../projections/round-table.ts';
import type { RecordedFinding, RunSummary } from '../../projections/run-summary.ts';
import { reportHints } from '../../evidence/report-hint.ts';
import { endingName, isDone } from '../../projections/phrases.ts';
import { NO_WORTH, type SuccessWorth, worthOf } from '../../projections/grade-text.ts';
import { jsonAnswer } from '../../prompt/answer-schema.ts';
import { NANO_USD_PER_USD } from '../../text/money.ts';
import type { ReportStatus } from './report-lines.ts';
import { unaskedText } from '../../app/views/text-of-unasked.ts';
import type { Complaint } from './complaint.ts';

/** Model usage, in numbers that a program can add up. */
export interface ResultUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Parts of the two above. */
  readonly cachedInputTokens: number;
  readonly reasoningTokens: number;
  readonly estimatedTokens: number;
}

/** The last line of `json` and `stream-json`, on every exit: what a program needs to continue. */
export interface Result extends SuccessWorth {
  readonly type: 'result';
  /** The exit status. */
  readonly exit: number;
  readonly run: string | null;
  readonly state: 'ended' | 'paused' | 'waiting' | 'lost' | 'failed';
  readonly outcome: Outcome | null;
  /** The outcome in words, whether it is proven among them: `success, unverified`. */
  readonly verdict: string | null;
  /** What a person can do about checks that failed without changed tests or configuration, or that name no test. */
  readonly remedy: string | null;
  readonly reason: string | null;
  /** Ids (`RUN/version`) of the events that the ending rests on. */
  readonly evidence: readonly string[];
  readonly answer: string;
  /** The answer as data, where a schema asked for it and the run has succeeded. */
  readonly value: unknown;
  readonly summary: string | null;
  readonly spend: Spend | null;
  readonly usage: ResultUsage | null;
  /** US dollars, of the requests whose price was known; null where none was. */
  readonly costUsd: number | null;
  /** CPU time of all checks, and of running them once. Null: it was not measured. */
  readonly checkCost: CheckCost | null;
  readonly models: readonly ModelAccount[];
  readonly iterations: readonly RoundRow[];
  /** The open questions for the user. */
  readonly questions: readonly Question[];
  readonly warnings: readonly string[];
  /** The rules about what calls may do that no call fitted. */
  readonly unusedRules: readonly string[];
  /** Reports to webhooks that are not delivered: `deliver` tries them again. */
  readonly owed: readonly ReportStatus[];
  /** What the run changed of what later runs go by: their configuration, and the pages of their agents. */
  readonly deciding: readonly DecidingFile[];
  /** What detectors noticed, the newest of it. */
  readonly findings: readonly RecordedFinding[];
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  readonly error: string | null;
  /** Commands to try next. */
  readonly next: readonly string[];
}

const NOTHING: Omit<Result, 'type' | 'exit' | 'state'> = {
  run: null,
  outcome: null,
  verdict: null,
  ...NO_WORTH,
  remedy: null,
  reason: null,
  evidence: [],
  answer: '',
  value: null,
  summary: null,
  spend: null,
  usage: null,
  costUsd: null,
  checkCost: null,
  models: [],
  iterations: [],
  questions: [],
  warnings: [],
  unusedRules: [],
  owed: [],
  deciding: [],
  findings: [],
  startedAt: null,
  endedAt: null,
  error: null,
  next: [],
};

/** What the caller adds to a run's summary. */
export interface Around extends Pick<Result, 'exit' | 'state' | 'next'> {
  readonly account: Account;
  readonly questions?: readonly Question[];
  readonly warnings?: readonly string[];
  readonly unusedRules?: readonly string[];
  readonly owed?: readonly ReportStatus[];
  readonly deciding?: readonly DecidingFile[];
}

/** The result of a run that ended or was left in this process. */
export function resultOf(run: string, summary: RunSummary, around: Around): Result {
  const { ending, answer, text, iterations, startedAt } = summary;
  // The spend of an unfinished attempt stands in its own events only.
  const spend = ending ? summary.spend : around.account.spend;
  const {
    exit,
    state,
    next,
    account,
    questions = [],
    warnings = [],
    owed = [],
    deciding = [],
    unusedRules = [],
  } = around;
  return {
    type: 'result',
    exit,
    state,
    ...NOTHING,
    run,
    outcome: ending?.outcome ?? null,
    verdict: ending ? endingName(ending.outcome, summary.settings.checks.length > 0) : null,
    ...worthOf(summary),
    remedy: ending ? remedyOf(summary) : null,
    reason: ending?.reason ?? null,
    evidence: ending?.evidence ?? [],
    answer,
    value: valueOf(summary),
    summary: text,
    spend,
    usage: usageOf(account.models),
    costUsd: spend.costNanoUsd === undefined ? null : spend.costNanoUsd / NANO_USD_PER_USD,
    checkCost: summary.checkCost,
    models: account.models,
    iterations,
    questions,
    // Its log may say what the user was told when it was resumed.
    warnings: [...new Set([...warnings, ...summary.warnings])],
    unusedRules,
    owed,
    deciding,
    findings: summary.findings,
    startedAt,
    endedAt: state === 'ended' ? summary.at : null,
    next,
  };
}

function valueOf({ ending, answer, settings }: RunSummary): unknown {
  if (settings.answerSchema === undefined || ending?.outcome.ending !== 'success') return null;
  return jsonAnswer(answer) ?? null;
}

/** The remedy that lets changed tests count, or tests have names. */
function remedyOf({ verification, settings, ending }: RunSummary): string | null {
  const unasked = unaskedText(verification?.proof);
  if (unasked !== null || ending?.outcome.ending !== 'success') return unasked;
  return reportHints(settings.checks, verification?.proof?.unreported ?? []).join('\n') || null;
}

function usageOf(models: readonly ModelAccount[]): ResultUsage {
  const sum = (count: (one: ModelAccount) => number) => models.reduce((total, one) => total + count(one), 0);
  return {
    inputTokens: sum((one) => one.inputTokens),
    outputTokens: sum((one) => one.outputTokens),
    cachedInputTokens: sum((one) => one.cachedInputTokens),
    reasoningTokens: sum((one) => one.reasoningTokens),
    estimatedTokens: sum((one) => one.estimatedTokens),
  };
}

/** Whether the run came to a success that its checks prove. */
export const isVerified = ({ outcome }: Pick<Result, 'outcome'>): boolean =>
  outcome?.ending === 'success' && outcome.verified !== null && isDone(outcome, true);

/** The result without a run, or with one that failed. */
export const failedResult = (
  { status, message }: Pick<Complaint, 'status' | 'message'>,
  run: string | null,
  next: readonly string[],
): Result => ({ type: 'result', exit: status, state: 'failed', ...NOTHING, run, error: message, next });

/** The result after a second stop signal: the process did not wait, and the log has what happened. */
export const leftResult = (exit: number, run: string | null, next: readonly string[]): Result => ({
  type: 'result',
  exit,
  state: 'lost',
  ...NOTHING,
  run,
  error: 'stopped at once, before the run could record that it pauses',
  next,
});
