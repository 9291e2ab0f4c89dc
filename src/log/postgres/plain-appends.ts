import { answerTo, type AppendJob, chainedOf, lastOf } from './append-job.ts';
import type { BinaryArrays } from './binary-arrays.ts';
import type { Client } from './driver.ts';

/** The largest number that a column of 32 bits holds. */
const MAX_INT = 2_147_483_647;

const RUN_COLUMNS = ['run', 'expected', 'previous', 'epoch', 'last', 'hash', 'at', 'closes'];
const RUN_TYPES = ['text', 'int', 'bytea', 'int', 'int', 'bytea', 'bigint', 'text'];
const EVENT_COLUMNS = ['append', 'version', 'type', 'schema', 'at', 'causation', 'payload', 'salt', 'hash', 'mark'];
const EVENT_TYPES = ['int', 'int', 'text', 'int', 'bigint', 'text', 'text', 'bytea', 'bytea', 'text'];

/** The rows that parameters from `first` on hold by columns; `n` counts them from 1. */
const rowsOf = (name: string, columns: readonly string[], types: readonly string[], first: number): string => {
  const arrays = types.map((type, index) => `$${first + index}::${type}[]`).join(', ');
  return `unnest(${arrays}) WITH ORDINALITY AS ${name}(${columns.join(', ')}, n)`;
};
const CHANNEL = `$${RUN_COLUMNS.length + EVENT_COLUMNS.length + 1}::text`;
const LISTENING = `hashtextextended(${CHANNEL}, 0)`;

/**
 * Appends to open runs, in one statement that is planned once. It moves the runs whose epoch, version and hash are what
 * the writer knows: a row that another transaction has changed meanwhile is compared once more as it is now. Runs come
 * in the order of their names, so that two writers do not wait for each other in a circle. The statement passes over an
 * append that does not fit, and gives no reason. It notifies only where a process listens, because notifications make
 * commits wait for one another.
 */
const STATEMENT = {
  name: 'append plain',
  text: `
    WITH moved AS (
      UPDATE runs r SET version = a.last, hash = a.hash, updated_at = a.at, closed = a.closes
      FROM ${rowsOf('a', RUN_COLUMNS, RUN_TYPES, 1)}
      WHERE r.run = a.run AND r.version = a.expected AND r.hash = a.previous AND r.epoch = a.epoch AND r.closed IS NULL
      RETURNING a.n, a.run, a.epoch, r.key
    ), written AS (
      INSERT INTO events (run, version, type, schema, at, causation, epoch, payload, salt, hash, mark)
      SELECT m.key, version, type, schema, at, causation, m.epoch, payload, salt, hash, mark
      FROM ${rowsOf('e', EVENT_COLUMNS, EVENT_TYPES, RUN_COLUMNS.length + 1)} JOIN moved m ON m.n = append ORDER BY e.n
      RETURNING position
    )
    SELECT array_agg(position)::text AS positions,
      CASE WHEN pg_try_advisory_lock(${LISTENING}) THEN pg_advisory_unlock(${LISTENING})::int
        ELSE (SELECT count(pg_notify(${CHANNEL}, run)) FROM moved) END AS told
    FROM written`,
};

/** An append of events alone to a run that is there, with numbers that the columns can hold. */
export const isPlain = ({ request, events }: AppendJob): boolean =>
  request.expectedVersion > 0 &&
  request.expectedVersion + events.length <= MAX_INT &&
  request.epoch <= MAX_INT &&
  request.parentEffect === undefined &&
  request.takesLease === undefined &&
  request.releasesLease !== true &&
  (request.delivers ?? []).length === 0 &&
  (request.reports ?? []).length === 0 &&
  events.every(({ blob, event }) => blob === null && event.schema <= MAX_INT);

/** What the statement of a connection is sent with. */
interface Sending {
  readonly arrays: BinaryArrays;
  readonly channel: string;
}

/** Tells whether all of some plain appends were written: then each has its answer. Else it is open which were. */
export async function appendPlain(
  client: Client,
  group: readonly AppendJob[],
  { arrays, channel }: Sending,
): Promise<boolean> {
  const jobs = group.toSorted((one, other) => (one.request.run < other.request.run ? -1 : 1));
  arrays.restart();
  const values = [...runsOf(jobs, arrays), ...eventsOf(jobs, arrays), channel];
  const asked = client.query<{ readonly positions: string | null }>({ ...STATEMENT, values });
  const { rows } = await answerTo(jobs, asked);
  // They are given in the order of the events, and rise.
  const positions = positionsIn(rows[0]?.positions ?? '{}').toSorted((one, other) => one - other);
  if (positions.length < jobs.reduce((sum, { events }) => sum + events.length, 0)) return false;
  let next = 0;
  for (const job of jobs) {
    const own = positions.slice(next, (next += job.events.length));
    job.answer = { kind: 'placed', positions: own, isReleased: false };
  }
  return true;
}

/** The numbers of an array as the server writes it: `{1,2}`. */
const positionsIn = (array: string): readonly number[] =>
  array === '{}' ? [] : array.slice(1, -1).split(',').map(Number);

function runsOf(jobs: readonly AppendJob[], arrays: BinaryArrays): readonly Buffer[] {
  const last = jobs.map(lastOf);
  return [
    arrays.texts(jobs.map(({ request }) => request.run)),
    arrays.ints(jobs.map(({ request }) => request.expectedVersion)),
    arrays.hexes(jobs.map((job) => chainedOf(job).previous)),
    arrays.ints(jobs.map(({ request }) => request.epoch)),
    arrays.ints(last.map(({ version }) => version)),
    arrays.hexes(last.map(({ hash }) => hash)),
    arrays.bigints(last.map(({ at }) => Date.parse(at))),
    arrays.texts(jobs.map(({ request }) => request.closes ?? null)),
  ];
}

function eventsOf(jobs: readonly AppendJob[], arrays: BinaryArrays): readonly Buffer[] {
  const events = jobs.flatMap((job) => chainedOf(job).events);
  return [
    arrays.ints(jobs.flatMap((job, index) => job.events.map(() => index + 1))),
    arrays.ints(events.map(({ version }) => version)),
    arrays.texts(events.map(({ type }) => type)),
    arrays.ints(events.map(({ schema }) => schema)),
    arrays.bigints(events.map(({ at }) => Date.parse(at))),
    arrays.texts(events.map(({ causation }) => causation)),
    arrays.texts(events.map(({ text }) => text)),
    arrays.bytes(events.map(({ salt }) => salt)),
    arrays.hexes(events.map(({ hash }) => hash)),
    arrays.texts(events.map(({ mark }) => mark)),
  ];
}
