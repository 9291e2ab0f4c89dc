import { type Head, START } from '../chain.ts';
import type { Adopted, CopiedEvent, CopiedRun, CopyStore } from '../copy-store.ts';
import { copiedEvent, faultBehind, refusedCopy } from '../copy-store.ts';
import { assertRunName, runOfEffect } from '../effect-names.ts';
import type { Client } from './driver.ts';
import { OWNER } from './fork-run.ts';
import type { Server } from './server.ts';

interface Row extends Head {
  readonly key: number;
}

const FIND = `SELECT key, version, encode(hash, 'hex') AS hash FROM runs WHERE run = $1 FOR NO KEY UPDATE`;
const OPEN = `
  INSERT INTO runs (run, root, parent_effect, prefix, prefix_version, created_at, updated_at, version, hash)
  VALUES ($1, $2, $3, $4, $5, $6, $6, $5, decode($7, 'hex')) RETURNING key`;
const EVENTS = `
  INSERT INTO events (run, version, type, schema, at, causation, epoch, payload, salt, digest, hash, mark)
  SELECT $1, version, type, schema, at, causation, epoch, payload, decode(salt, 'hex'), decode(digest, 'hex'),
    decode(hash, 'hex'), mark
  FROM unnest($2::int[], $3::text[], $4::int[], $5::bigint[], $6::text[], $7::int[], $8::text[], $9::text[],
    $10::text[], $11::text[], $12::text[])
    AS e(version, type, schema, at, causation, epoch, payload, salt, digest, hash, mark) ORDER BY version`;
const BLOBS = `
  INSERT INTO blobs (sha256, content) SELECT DISTINCT ON (sha) decode(sha, 'hex'), content
  FROM unnest($1::text[], $2::text[]) AS b(sha, content) ON CONFLICT DO NOTHING`;
const MOVE = `
  UPDATE runs SET version = $2, hash = decode($3, 'hex'), updated_at = $4, closed = coalesce($5, closed)
  WHERE key = $1`;
/** Epochs only rise: the next holder gets a later one than every event has. */
const LEASE = `
  INSERT INTO leases (root, epoch, holder, expires_at) VALUES ($1, $2, NULL, 0)
  ON CONFLICT (root) DO UPDATE SET epoch = excluded.epoch, holder = NULL WHERE leases.epoch < excluded.epoch`;

/** Takes runs into a log on a server. */
export const serverCopies = (server: Server): CopyStore => ({
  async adopt(run, envelopes) {
    server.assertOpen();
    assertRunName(run.run);
    const events = envelopes.map(copiedEvent);
    const adopted = await server.write((client, isAgain) => adoptRun(client, run, events, isAgain));
    server.watch.changed(run.run);
    return adopted;
  },
});

async function adoptRun(
  client: Client,
  run: CopiedRun,
  events: readonly CopiedEvent[],
  isAgain: boolean,
): Promise<Adopted> {
  const { rows } = await client.query<Row>(FIND, [run.run]);
  const last = events.at(-1)?.event;
  // It was written before the connection was lost.
  if (isAgain && last && rows[0]?.hash === last.hash) return { kind: 'adopted' };
  const row = rows[0] ?? (await opened(client, run, events));
  if (typeof row === 'string') return refusedCopy(row);
  const fault = faultBehind(row, events);
  if (fault !== null) return refusedCopy(fault);
  const blobs = events.flatMap(({ blob }) => blob ?? []);
  if (blobs.length > 0) await client.query(BLOBS, [blobs.map(({ sha256 }) => sha256), blobs.map(({ text }) => text)]);
  if (last) {
    await client.query(EVENTS, [row.key, ...columnsOf(events)]);
    await client.query(MOVE, [row.key, last.version, last.hash, Date.parse(last.at), run.closed]);
    await client.query(LEASE, [run.root, Math.max(...events.map(({ event }) => event.epoch))]);
  }
  return { kind: 'adopted' };
}

/** A text says why the run cannot be opened: what it belongs to is not there. */
async function opened(client: Client, run: CopiedRun, events: readonly CopiedEvent[]): Promise<Row | string> {
  const { parentEffect, root, forkedFrom } = run;
  const parent = parentEffect === null ? null : runOfEffect(parentEffect);
  const { rows: found } = await client.query<
    Row & { readonly effect: string | null; readonly run: string; readonly root: string }
  >(`SELECT key, run, root, parent_effect AS effect FROM runs WHERE run = ANY($1) OR parent_effect = $2`, [
    [parent ?? root, forkedFrom?.run ?? root],
    parentEffect,
  ]);
  if (parentEffect !== null && found.some(({ effect }) => effect === parentEffect))
    return `${parentEffect} has opened another run there`;
  if (parent !== null && !found.some((one) => one.run === parent && one.root === root))
    return `the run that opened it is not there, in the tree of ${root}`;
  const from = forkedFrom && found.find((one) => one.run === forkedFrom.run);
  const hash = forkedFrom ? await hashAt(client, forkedFrom) : START.hash;
  if (hash === null || from === undefined)
    return `it continues version ${forkedFrom?.version} of ${forkedFrom?.run}, which is not there`;
  const head = { version: forkedFrom?.version ?? 0, hash };
  // Before the run is opened: a refusal writes nothing.
  const fault = faultBehind(head, events);
  if (fault !== null) return fault;
  const values = [run.run, root, parentEffect, from?.key ?? null, head.version, Date.parse(run.createdAt), head.hash];
  const { rows } = await client.query<{ readonly key: number }>(OPEN, values);
  return { ...head, key: rows[0]?.key ?? 0 };
}

async function hashAt(client: Client, { run, version }: { readonly run: string; readonly version: number }) {
  const { rows } = await client.query<{ readonly hash: string }>(OWNER, [run, version]);
  return rows[0]?.hash ?? null;
}

const columnsOf = (events: readonly CopiedEvent[]): unknown[] => {
  const all = events.map(({ event }) => event);
  return [
    all.map(({ version }) => version),
    all.map(({ type }) => type),
    all.map(({ schema }) => schema),
    all.map(({ at }) => Date.parse(at)),
    all.map(({ causation }) => causation),
    all.map(({ epoch }) => epoch),
    all.map(({ text }) => text),
    all.map(({ salt }) => salt && Buffer.from(salt).toString('hex')),
    all.map(({ digest }) => digest),
    all.map(({ hash }) => hash),
    all.map(({ mark }) => mark),
  ];
};
