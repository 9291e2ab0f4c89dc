import { z } from 'zod';
import type { App } from '../../app/app.ts';
import { assertRecorded } from '../../app/records/success-record.ts';
import type { RunRecord } from '../../log/event-store.ts';
import { endingName, plain } from '../../projections/phrases.ts';
import type { Question } from '../../projections/questions.ts';
import { worthOf } from '../../projections/grade-text.ts';
import { head } from '../../text/excerpt.ts';
import { oneLine } from '../../text/one-line.ts';
import { NANO_USD_PER_USD } from '../../text/money.ts';
import { answerCommands } from '../pages/next-commands.ts';
import { standingOf } from '../../app/views/run-status.ts';
import { summaryOf } from '../pages/summary-of.ts';
import type { Session } from '../session.ts';
import { questionLines } from '../terminal/question-lines.ts';

const MAX_TASK_CHARS = 500;
const MAX_ANSWER_CHARS = 20_000;
const MAX_REASON_CHARS = 2_000;
const MAX_QUESTIONS = 20;

/** A question that waits, as another program is told of it. `ruling`: only a person may answer. */
export const OpenQuestion = z.object({
  run: z.string(),
  call: z.string(),
  kind: z.enum(['question', 'ruling']),
  text: z.string(),
  choices: z.array(z.string()),
  askedAt: z.string(),
  commands: z.array(z.string()).describe('What a person types to answer'),
});
export type OpenQuestion = z.infer<typeof OpenQuestion>;

/** A run as another program is told of it. `costUsd` is of the requests whose price is known; null where none was. */
export const RunStatus = z.object({
  run: z.string(),
  state: z.enum(['running', 'waiting', 'paused', 'interrupted', 'ended']),
  task: z.string(),
  verdict: z.string().nullable().describe('How it ended, and whether checks prove it. Null: it has not ended'),
  reason: z.string().nullable(),
  weaknesses: z.array(z.string()).describe('What keeps a success from the best grade'),
  iterations: z.number().int(),
  tokens: z.number().int(),
  costUsd: z.number().nullable(),
  answer: z.string(),
  questions: z.array(OpenQuestion),
  warnings: z.array(z.string()),
});
export type RunStatus = z.infer<typeof RunStatus>;

/** A question with the commands that answer it. */
export function questionData(
  session: Session,
  root: string,
  question: Question,
  open: readonly Question[],
): OpenQuestion {
  const { run, callId, kind, form, choices, askedAt } = question;
  return {
    run,
    call: callId,
    kind: kind === 'question' && !form ? 'question' : 'ruling',
    text: plain(questionLines({ ...question, choices: [] }).join('\n')),
    choices: choices.map((choice) => oneLine(choice, MAX_TASK_CHARS)),
    askedAt,
    commands: answerCommands(root, question, open).map((words) => session.again(words)),
  };
}

/** Reads where a run stands. `isWaiting`: nothing is left to do in it before an answer, as its live run says. */
export async function statusOf(
  session: Session,
  { log, definitions }: Pick<App, 'log' | 'definitions'>,
  record: RunRecord,
  isWaiting: boolean,
): Promise<RunStatus> {
  const { run } = record;
  const standing = await standingOf(log, record, definitions);
  const summary = await summaryOf(log, run, definitions);
  const { ending, spend, settings, iterations, answer, task, warnings } = summary;
  if (record.closed === 'success') await assertRecorded(log, run);
  const questions = standing.kind === 'ended' ? [] : standing.questions;
  return {
    run,
    state: standing.kind === 'running' && isWaiting ? 'waiting' : standing.kind,
    task: oneLine(task, MAX_TASK_CHARS),
    verdict: ending ? endingName(ending.outcome, settings.checks.length > 0) : null,
    reason: ending ? plain(head(ending.reason, MAX_REASON_CHARS)) : null,
    weaknesses: [...worthOf(summary).because],
    iterations: iterations.length,
    tokens: spend.inputTokens + spend.outputTokens,
    costUsd: spend.costNanoUsd === undefined ? null : spend.costNanoUsd / NANO_USD_PER_USD,
    answer: plain(head(answer, MAX_ANSWER_CHARS)),
    questions: questions.slice(0, MAX_QUESTIONS).map((one) => questionData(session, run, one, questions)),
    warnings: warnings.map((one) => oneLine(one, MAX_REASON_CHARS)),
  };
}
