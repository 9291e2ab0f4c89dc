import { chain, type Head, START, type Unplaced } from '../chain.ts';
import { runOfEffect } from '../effect-names.ts';
import type { Append, AppendResult } from '../event-store.ts';
import type { Prepared } from '../prepare-events.ts';
import { APPEND, PARAMETERS } from './append-function.ts';
import type { Client } from './driver.ts';
import type { WriteJob } from './group-writer.ts';
import type { KnownHeads } from './head-cache.ts';
import { transient } from './server-failure.ts';

/** An append that waits for its transaction. */
export interface AppendJob extends WriteJob {
  readonly kind: 'append';
  readonly request: Append;
  readonly events: readonly Prepared[];
  /** Its events in their places, once a transaction has tried them: tried again, they have to be the same. */
  chained: Chained | null;
  answer: Answer | null;
}

interface Chained {
  readonly events: readonly Unplaced[];
  /** The hash that the first of them follows. */
  readonly previous: string;
}

export type Answer =
  | { readonly kind: 'placed'; readonly positions: readonly number[]; readonly isReleased: boolean }
  /** The run has another event where this process wrote its last one. */
  | { readonly kind: 'diverged'; readonly version: number }
  /** The log does not know the run of the effect that opens this one. */
  | { readonly kind: 'orphan' }
  | AppendResult;

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
}

/** Does appends of different runs in one statement, and gives each of them its answer. */
export async function appendGroup(
  client: Client,
  jobs: readonly AppendJob[],
  heads: KnownHeads,
  { now, channel }: Telling,
  isAgain: boolean,
): Promise<void> {
  // By what this process wrote last. A chain from before the connection was lost may go by something older.
  const sure = new Set(isAgain ? [] : jobs.filter(({ request }) => heads.isAt(request.run, request.expectedVersion)));
  await heads.learn(
    client,
    jobs.flatMap((job) => (sure.has(job) || job.request.expectedVersion === 0 ? [] : [job.request.run])),
  );
  for (const job of jobs) job.chained = (isAgain ? job.chained : null) ?? chainedBehind(job, heads);
  const { rows } = await client.query<Row>({ ...APPEND, values: [...columnsOf(jobs), now, channel] });
  for (const row of rows) {
    const job = jobs[Number(row.n) - 1];
    if (!job) continue;
    const { request } = job;
    job.answer = answerOf(row);
    if (isAgain && job.answer.kind !== 'placed') job.answer = (await foundAs(client, job)) ?? job.answer;
    if (job.answer.kind === 'placed') heads.keep(request.run, lastOf(job));
    else heads.drop(request.run);
    if (job.answer.kind === 'diverged' && !sure.has(job)) {
      job.chained = null;
      throw transient('another process has written the run since its head was read');
    }
  }
}

function chainedBehind({ request, events }: AppendJob, heads: KnownHeads): Chained {
  const { run, expectedVersion, epoch } = request;
  // A head at another version makes a chain that is refused: by the version.
  const previous = expectedVersion === 0 ? START.hash : (heads.of(run)?.hash ?? START.hash);
  return { previous, events: chain({ version: expectedVersion, hash: previous }, run, epoch, events) };
}

function lastOf({ chained }: AppendJob): Head {
  const last = chained?.events.at(-1);
  if (!last) throw new Error('an append without events');
  return { version: last.version, hash: last.hash };
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
  const { events: chained, previous } = job.chained ?? { events: [], previous: START.hash };
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
