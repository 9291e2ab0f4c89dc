import { runOfEffect } from '../effect-names.ts';
import { APPEND, PARAMETERS } from './append-function.ts';
import { type Answer, answerTo, type AppendJob, chainedBehind, chainedOf, lastOf } from './append-job.ts';
import type { BinaryArrays } from './binary-arrays.ts';
import type { Client } from './driver.ts';
import type { KnownHeads } from './head-cache.ts';
import { appendPlain, isPlain } from './plain-appends.ts';
import { transient } from './server-failure.ts';

interface Row {
  readonly n: number;
  readonly kind: string;
  readonly detail: string;
  readonly positions: readonly string[] | null;
  readonly released: boolean;
}

/** The way in which a group of appends is told to the store. */
export interface Telling {
  /** The time to go by. Null: that of the server. */
  readonly now: number | null;
  readonly channel: string;
  readonly arrays: BinaryArrays;
}

/**
 * Does appends of different runs, and gives each of them its answer. A group that brings nothing but events is one
 * statement. Every other group goes through the function, and so does one that the statement has not written whole: the
 * function says why it refuses, and what the statement has written is found by its hash.
 */
export async function appendGroup(
  client: Client,
  jobs: readonly AppendJob[],
  heads: KnownHeads,
  telling: Telling,
  isAgain: boolean,
): Promise<void> {
  const mayBeDone = isAgain || jobs.some((job) => job.mayBeDone);
  // What this process wrote last is sure. A chain from before the connection was lost may go by something older.
  const unsure = mayBeDone
    ? jobs
    : jobs.filter(({ request }) => request.expectedVersion > 0 && !heads.isAt(request.run, request.expectedVersion));
  await heads.learn(
    client,
    unsure.map(({ request }) => request.run),
  );
  for (const job of jobs) {
    job.chained = (mayBeDone ? job.chained : null) ?? chainedBehind(job, heads.of(job.request.run));
    job.answer = null;
  }
  try {
    if (mayBeDone || !(await areWritten(client, jobs, telling))) await judge(client, jobs, telling, isAgain);
    for (const job of jobs) keepHead(job, heads, !unsure.includes(job));
  } catch (error) {
    for (const job of jobs) job.mayBeDone ||= job.answer?.kind === 'placed';
    throw error;
  }
}

async function areWritten(client: Client, jobs: readonly AppendJob[], telling: Telling): Promise<boolean> {
  if (!jobs.every(isPlain)) return false;
  const areAll = await appendPlain(client, jobs, telling);
  for (const job of jobs) job.mayBeDone = !areAll;
  return areAll;
}

function keepHead(job: AppendJob, heads: KnownHeads, wasSure: boolean): void {
  const { run } = job.request;
  const { version, hash } = lastOf(job);
  if (job.answer?.kind === 'placed') heads.keep(run, { version, hash });
  else heads.drop(run);
  if (job.answer?.kind !== 'diverged' || wasSure) return;
  job.chained = null;
  throw transient('another process has written the run since its head was read');
}

/** Sends appends to the function, which answers each. What may be done already is looked for by its hash if refused. */
async function judge(
  client: Client,
  jobs: readonly AppendJob[],
  { now, channel }: Telling,
  isAgain: boolean,
): Promise<void> {
  const { rows } = await answerTo(jobs, client.query<Row>({ ...APPEND, values: [...columnsOf(jobs), now, channel] }));
  for (const row of rows) {
    const job = jobs[Number(row.n) - 1];
    if (!job) continue;
    job.answer = answerOf(row);
    if ((isAgain || job.mayBeDone) && job.answer.kind !== 'placed')
      job.answer = (await foundAs(client, job)) ?? job.answer;
  }
}

/** The same events, where a transaction whose answer was lost has written them. */
async function foundAs(client: Client, job: AppendJob): Promise<Answer | null> {
  const { run, events, expectedVersion, releasesLease = false } = job.request;
  const { version, hash } = lastOf(job);
  const { rows } = await client.query<{ readonly positions: readonly string[] | null; readonly is_free: boolean }>(
    `SELECT array_agg(e.position ORDER BY e.version) AS positions, bool_and(l.holder IS NULL) AS is_free
     FROM runs r JOIN events e ON e.run = r.key AND e.version BETWEEN $2 AND $3 LEFT JOIN leases l ON l.root = r.root
     WHERE r.run = $1 AND EXISTS (
       SELECT 1 FROM events o WHERE o.run = r.key AND o.version = $3 AND o.hash = decode($4, 'hex')
     )`,
    [run, expectedVersion + 1, version, hash],
  );
  const positions = rows[0]?.positions?.map(Number) ?? [];
  if (positions.length !== events.length) return null;
  return { kind: 'placed', positions, isReleased: releasesLease && rows[0]?.is_free === true };
}

function answerOf({ kind, detail, positions, released }: Row): Answer {
  switch (kind) {
    case 'appended':
      return { kind: 'placed', positions: (positions ?? []).map(Number), isReleased: released };
    case 'fenced':
      return { kind, epoch: Number(detail) };
    case 'closed':
      return { kind, ending: detail };
    case 'duplicate_child':
      return { kind, run: detail };
    case 'orphan':
      return { kind };
    case 'diverged':
      return { kind, version: Number(detail) };
    default:
      return { kind: 'conflict', version: Number(detail) };
  }
}

type Values = readonly (number | string | boolean | null)[];

/** The values of all columns, in the order of the parameters. */
function columnsOf(jobs: readonly AppendJob[]): unknown[] {
  const rows: Readonly<Record<keyof typeof PARAMETERS, Values[]>> = { a: [], e: [], b: [], d: [], r: [] };
  for (const [index, job] of jobs.entries()) addRows(rows, index + 1, job);
  return Object.entries(PARAMETERS).flatMap(([group, columns]) =>
    Object.keys(columns).map((_, column) =>
      rows[group as keyof typeof PARAMETERS].map((values) => values[column] ?? null),
    ),
  );
}

function addRows(rows: Readonly<Record<keyof typeof PARAMETERS, Values[]>>, n: number, job: AppendJob): void {
  const { request, events } = job;
  const { run, parentEffect, expectedVersion, epoch, closes, takesLease, releasesLease } = request;
  const parent = parentEffect === undefined ? null : runOfEffect(parentEffect);
  const { events: chained, previous } = chainedOf(job);
  const last = lastOf(job);
  const [beganAt, lastAt] = [Date.parse(chained[0]?.at ?? ''), Date.parse(chained.at(-1)?.at ?? '')];
  const taker = takesLease ? JSON.stringify(takesLease) : null;
  const asked = [run, parentEffect ?? null, parent, expectedVersion, previous, epoch, closes ?? null, taker];
  rows.a.push([...asked, releasesLease === true, beganAt, last.version, last.hash, lastAt]);
  for (const { version, type, schema, at, causation, text, salt, hash, mark } of chained) {
    const saltText = salt === null ? null : Buffer.from(salt).toString('hex');
    rows.e.push([n, version, type, schema, Date.parse(at), causation, text, saltText, hash, mark]);
  }
  for (const { blob } of events) if (blob) rows.b.push([n, blob.sha256, blob.text]);
  for (const entry of request.delivers ?? []) rows.d.push([n, entry]);
  for (const { version, url, secretVariable, body } of request.reports ?? [])
    rows.r.push([n, version, url, secretVariable, body]);
}
