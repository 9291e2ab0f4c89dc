import { jsonIn } from '../text/json-in.ts';
import { canonicalText } from './canonical-text.ts';
import { assertRunName } from './effect-names.ts';
import type { Json } from './envelope.ts';
import {
  MAX_LIMIT_KEY_CHARACTERS,
  MAX_TASK_BYTES,
  type NewSubmission,
  type Submission,
  type SubmissionStanding,
} from './queue-store.ts';
import { timestamp } from './timestamp.ts';

/** A row of the table of submissions, the same in every engine. Times are milliseconds since 1970. */
export interface SubmissionRow {
  readonly run: string;
  readonly task: string;
  readonly limit_key: string | null;
  readonly at_once: number | null;
  readonly at: number;
  readonly due_at: number;
  readonly standing: string;
  readonly crashes: number;
  readonly tries: number;
  readonly because: string | null;
}

export const SUBMISSION_COLUMNS = 'run, task, limit_key, at_once, at, due_at, standing, crashes, tries, because';

/** The longest sentence that is kept about a submission. */
const MAX_BECAUSE_CHARACTERS = 2_000;

const STANDINGS: readonly string[] = [
  'due',
  'claimed',
  'waits',
  'paused',
  'aside',
  'over',
] satisfies SubmissionStanding[];

const isStanding = (text: string): text is SubmissionStanding => STANDINGS.includes(text);

/** The submission of a row. `misshapen` makes the error for a column that holds what no program of ours has written. */
export function submissionOf(row: SubmissionRow, misshapen: (reason: string) => Error): Submission {
  const { run, limit_key: key, at_once: atOnce, standing, crashes, tries, because } = row;
  const task = jsonIn(row.task);
  if (task === undefined) throw misshapen('the column task of a submission holds no JSON');
  if (!isStanding(standing)) throw misshapen('the column standing of a submission holds none');
  return {
    run,
    task: task as Json,
    limit: key === null || atOnce === null ? null : { key, atOnce },
    at: timestamp(row.at),
    dueAt: timestamp(row.due_at),
    standing,
    crashes,
    tries,
    because,
  };
}

/** The canonical text of a task. Throws a `TypeError` where a submission is not one. */
export function assertSubmission({ run, task, limit, notBefore }: NewSubmission): string {
  assertRunName(run);
  const text = canonicalText(task);
  if (Buffer.byteLength(text) > MAX_TASK_BYTES) throw new TypeError(`a task has at most ${MAX_TASK_BYTES} bytes`);
  if (limit && (limit.key === '' || limit.key.length > MAX_LIMIT_KEY_CHARACTERS))
    throw new TypeError(`the key of a limit has 1 to ${MAX_LIMIT_KEY_CHARACTERS} characters`);
  if (limit && !(Number.isSafeInteger(limit.atOnce) && limit.atOnce > 0))
    throw new TypeError('a limit by key is a whole number, 1 or more');
  if (notBefore !== null && Number.isNaN(Date.parse(notBefore))) throw new TypeError('a start is a time of RFC 3339');
  return text;
}

export const shortened = (because: string | null): string | null => because?.slice(0, MAX_BECAUSE_CHARACTERS) ?? null;
