import type { StoredEvent } from '../chain.ts';
import { blobOf } from '../prepare-events.ts';
import type { Shelf } from '../event-envelope.ts';
import type { Server } from './server.ts';
import { timestamp } from '../timestamp.ts';

/** Events that are read at once. */
const PAGE_EVENTS = 256;
/** More than the version of any event: the column is of 32 bits. */
const NO_END = 2_147_483_647;
/** A fork is younger than what it continues: rows that say otherwise would lead round in circles. */
const SEGMENTS = `
  WITH RECURSIVE line AS (
    SELECT key, run, prefix, prefix_version FROM runs WHERE run = $1
    UNION ALL
    SELECT r.key, r.run, r.prefix, r.prefix_version FROM runs r JOIN line l ON r.key = l.prefix AND r.key < l.key
  ) SELECT key, run, prefix_version AS shared FROM line ORDER BY key DESC`;
const PAGE = `
  SELECT version, position, type, schema, at, causation, epoch, payload, salt, encode(digest, 'hex') AS digest,
    encode(hash, 'hex') AS hash, mark
  FROM events WHERE run = $1 AND version BETWEEN $2 AND $3 ORDER BY version LIMIT ${PAGE_EVENTS}`;

/** A stretch of a run's versions and the run whose events they are: a fork's prefix belongs to the original. */
export interface Stretch {
  readonly key: number;
  readonly run: string;
  readonly from: number;
  readonly to: number;
}

interface Row extends Omit<StoredEvent, 'run' | 'at' | 'text'> {
  readonly at: number;
  readonly payload: string | null;
}

/** Whose events a run is made of, oldest first. Empty for an unknown run. */
export async function stretchesOf(server: Server, run: string): Promise<readonly Stretch[]> {
  const rows = await server.reading<{ key: number; run: string; shared: number }>(SEGMENTS, [run]);
  const stretches: Stretch[] = [];
  let to = NO_END;
  for (const { key, run: owner, shared } of rows) {
    stretches.unshift({ key, run: owner, from: shared + 1, to });
    to = Math.min(to, shared);
  }
  return stretches;
}

/** The first events of a stretch from a version on. */
export async function pageOf(server: Server, { key, run, to }: Stretch, from: number): Promise<readonly StoredEvent[]> {
  const rows = await server.reading<Row>(PAGE, [key, from, to]);
  return rows.map(({ payload: text, at, ...row }) => ({ ...row, run, at: timestamp(at), text }));
}

/** The pages of a range of a run, each read when it is asked for. */
export async function* storedPages(
  server: Server,
  run: string,
  first = 1,
  last = NO_END,
): AsyncGenerator<readonly StoredEvent[], void> {
  for (const stretch of await stretchesOf(server, run)) {
    const to = Math.min(last, stretch.to);
    for (let next = Math.max(first, stretch.from); next <= to;) {
      const page = await pageOf(server, { ...stretch, to }, next);
      const end = page.at(-1);
      if (!end) break;
      yield page;
      next = end.version + 1;
    }
  }
}

/** The blobs of some events, for turning them into envelopes. */
export async function shelfOf(server: Server, events: readonly { readonly text: string | null }[]): Promise<Shelf> {
  const wanted = new Set(events.flatMap(({ text }) => (text === null ? [] : (blobOf(text) ?? []))));
  const contents = new Map<string, string>();
  if (wanted.size > 0) {
    const rows = await server.reading<{ sha: string; content: string }>(
      `SELECT encode(sha256, 'hex') AS sha, content FROM blobs
       WHERE sha256 IN (SELECT decode(sha, 'hex') FROM unnest($1::text[]) AS sha)`,
      [[...wanted]],
    );
    for (const { sha, content } of rows) contents.set(sha, content);
  }
  return { store: server.store, blobText: (sha) => contents.get(sha) ?? null };
}
