import type { DatabaseSync } from 'node:sqlite';
import type { NewSubmission, Submission, SubmissionStanding } from '../queue-store.ts';
import { SUBMISSION_COLUMNS, submissionOf, type SubmissionRow } from '../submission-row.ts';
import { MisshapenError } from './row-shape.ts';
import { statement } from './statement.ts';

const SELECT = `SELECT ${SUBMISSION_COLUMNS} FROM submissions`;

/** The columns that change when a run leaves its worker, or is made due again. */
interface Left {
  readonly standing: SubmissionStanding;
  readonly dueAt: number;
  readonly seen: number | null;
  readonly tries: number;
  readonly because: string | null;
}

/** The table `submissions`. */
export class SubmissionsTable {
  readonly #insert;
  readonly #find;
  readonly #open;
  readonly #ofKey;
  readonly #claimable;
  readonly #claimedUnder;
  readonly #claim;
  readonly #leave;
  readonly #waiting;

  constructor(db: DatabaseSync) {
    this.#insert = statement<
      [run: string, task: string, key: string | null, atOnce: number | null, at: number, dueAt: number]
    >(
      db,
      `INSERT INTO submissions (run, task, limit_key, at_once, at, due_at, standing, crashes, tries)
       VALUES (?, ?, ?, ?, ?, ?, 'due', 0, 0)`,
    );
    this.#find = statement<[run: string], SubmissionRow>(db, `${SELECT} WHERE run = ?`);
    this.#open = statement<[], SubmissionRow>(db, `${SELECT} WHERE standing <> 'over' ORDER BY key`);
    this.#ofKey = statement<[key: string, since: number], SubmissionRow>(
      db,
      `${SELECT} WHERE limit_key = ? AND (standing <> 'over' OR due_at >= ?) ORDER BY key`,
    );
    this.#claimable = statement<[now: number], SubmissionRow>(
      db,
      `${SELECT} WHERE standing IN ('due', 'claimed') AND due_at <= ? ORDER BY due_at, key`,
    );
    this.#claimedUnder = statement<[key: string], { run: string }>(
      db,
      "SELECT run FROM submissions WHERE limit_key = ? AND standing = 'claimed'",
    );
    this.#claim = statement<[crashes: number, run: string]>(
      db,
      "UPDATE submissions SET standing = 'claimed', crashes = ? WHERE run = ?",
    );
    this.#leave = statement<
      [standing: string, dueAt: number, seen: number | null, tries: number, why: string | null, run: string]
    >(
      db,
      'UPDATE submissions SET standing = ?, due_at = ?, seen = ?, tries = ?, because = ?, crashes = 0 WHERE run = ?',
    );
    this.#waiting = statement<[], { run: string; seen: number | null }>(
      db,
      "SELECT run, seen FROM submissions WHERE standing = 'waits'",
    );
  }

  add({ run, limit }: NewSubmission, task: string, now: number, dueAt: number): void {
    this.#insert.run(run, task, limit?.key ?? null, limit?.atOnce ?? null, now, dueAt);
  }

  find(run: string): Submission | null {
    const row = this.#find.get(run);
    return row && whole(row);
  }

  open(): readonly Submission[] {
    return this.#open.all().map(whole);
  }

  /** Those of a key that are open, and those that were over at a time or later. */
  ofKey(key: string, since: number): readonly Submission[] {
    return this.#ofKey.all(key, since).map(whole);
  }

  /** Those that are due, and those that a process has claimed, in the order in which they are tried. */
  claimable(now: number): readonly Submission[] {
    return this.#claimable.all(now).map(whole);
  }

  /** The runs under a key that a process has claimed. */
  claimedUnder(key: string): readonly string[] {
    return this.#claimedUnder.all(key).map(({ run }) => run);
  }

  claim({ run, crashes }: Submission): void {
    this.#claim.run(crashes, run);
  }

  leave(run: string, { standing, dueAt, seen, tries, because }: Left): void {
    this.#leave.run(standing, dueAt, seen, tries, because, run);
  }

  waiting(): readonly { readonly run: string; readonly seen: number | null }[] {
    return this.#waiting.all();
  }
}

const whole = (row: SubmissionRow): Submission => submissionOf(row, (reason) => new MisshapenError(reason));
