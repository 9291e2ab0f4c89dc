import type { DatabaseSync } from 'node:sqlite';
import type { Head, StoredEvent, Unplaced } from '../chain.ts';
import { DECISION, type LastEvent } from '../recorded-ending.ts';
import { type Blob, blobOf } from '../prepared.ts';
import { statement } from './statement.ts';

const PAGE_EVENTS = 256;

/** A stretch of a run's versions and the run whose events they are: a fork's prefix belongs to the original. */
export interface Segment {
  readonly key: number;
  readonly run: string;
  readonly from: number;
  readonly to: number;
}

interface Row {
  readonly position: number;
  readonly version: number;
  readonly type: string;
  readonly schema: number;
  readonly at: number;
  readonly causation: string | null;
  readonly epoch: number;
  readonly payload: string | null;
  readonly salt: Uint8Array | null;
  readonly digest: Uint8Array | null;
  readonly hash: Uint8Array;
  readonly mark: string | null;
}

export interface Last extends Head, LastEvent {
  readonly at: string;
}

type Bytes = Uint8Array | null;
type Inserted = [
  run: number,
  version: number,
  type: number,
  schema: number,
  at: number,
  causation: string | null,
  epoch: number,
  payload: string | null,
  salt: Bytes,
  digest: Bytes,
  hash: Bytes,
  mark: string | null,
];

/** The table `events`, and `types` and `blobs` beside it, which keep what would repeat once. */
export class EventsTable {
  readonly #insert;
  readonly #type;
  readonly #insertType;
  readonly #insertBlob;
  readonly #blob;
  readonly #page;
  readonly #last;
  readonly #decision;
  readonly #hash;
  /** Keys of types as far as this process knows them: a type, once committed, keeps its key for ever. */
  readonly #typeKeys = new Map<string, number>();

  constructor(db: DatabaseSync) {
    this.#insert = statement<Inserted>(
      db,
      `INSERT INTO events (run, version, type, schema, at, causation, epoch, payload, salt, digest, hash, mark)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    this.#type = statement<[type: string], { key: number }>(db, 'SELECT key FROM types WHERE type = ?');
    this.#insertType = statement<[type: string]>(db, 'INSERT INTO types (type) VALUES (?)');
    this.#insertBlob = statement<[Bytes, content: string]>(
      db,
      'INSERT OR IGNORE INTO blobs (sha256, content) VALUES (?, ?)',
    );
    this.#blob = statement<[Bytes], { content: string }>(db, 'SELECT content FROM blobs WHERE sha256 = ?');
    this.#page = statement<[run: number, from: number, to: number], Row>(
      db,
      `SELECT position, version, coalesce(types.type, '') AS type, schema, at, causation, epoch,
         payload, salt, digest, hash, mark
       FROM events LEFT JOIN types ON types.key = events.type WHERE run = ? AND version BETWEEN ? AND ?
       ORDER BY version LIMIT ${PAGE_EVENTS}`,
    );
    this.#last = statement<[run: number], Pick<Row, 'version' | 'hash' | 'at' | 'type' | 'mark'>>(
      db,
      `SELECT version, hash, at, coalesce(types.type, '') AS type, mark
       FROM events LEFT JOIN types ON types.key = events.type WHERE run = ? ORDER BY version DESC LIMIT 1`,
    );
    this.#decision = statement<[run: number, type: string], Pick<Row, 'payload'>>(
      db,
      `SELECT payload FROM events WHERE run = ? AND type = (SELECT key FROM types WHERE type = ?)
       ORDER BY version DESC LIMIT 1`,
    );
    this.#hash = statement<[run: number, version: number], { hash: Uint8Array }>(
      db,
      'SELECT hash FROM events WHERE run = ? AND version = ?',
    );
  }

  /** Writes one event and gives it its place in the store. */
  insert(key: number, event: Unplaced): StoredEvent {
    const { version, type, schema, at, causation, epoch, text, salt, digest, hash, mark } = event;
    const [digestBytes, hashBytes] = [digest === null ? null : bytesOf(digest), bytesOf(hash)];
    const typeKey = this.#typeKeys.get(type) ?? this.#typeKey(type);
    const facts = [key, version, typeKey, schema, Date.parse(at), causation, epoch] as const;
    return { ...event, position: this.#insert.run(...facts, text, salt, digestBytes, hashBytes, mark) };
  }

  /** Drops the cached keys of types: those of a rolled-back transaction do not exist. */
  forgetTypes(): void {
    this.#typeKeys.clear();
  }

  #typeKey(type: string): number {
    const key = this.#type.get(type)?.key ?? this.#insertType.run(type);
    this.#typeKeys.set(type, key);
    return key;
  }

  insertBlob({ sha256, text }: Blob): void {
    this.#insertBlob.run(bytesOf(sha256), text);
  }

  readonly blobText = (sha256: string): string | null => this.#blob.get(bytesOf(sha256))?.content ?? null;

  /** The first events of a segment from a version on, at most `PAGE_EVENTS`. */
  page({ key, run, to }: Segment, from: number): readonly StoredEvent[] {
    return this.#page.all(key, from, to).map((row) => ({
      run,
      version: row.version,
      position: row.position,
      type: row.type,
      schema: row.schema,
      at: timestamp(row.at),
      causation: row.causation,
      epoch: row.epoch,
      text: row.payload,
      salt: row.salt,
      digest: row.digest && hexOf(row.digest),
      hash: hexOf(row.hash),
      mark: row.mark,
    }));
  }

  /** The last event a run wrote itself, or null when it has none. */
  lastOwn(key: number): Last | null {
    const row = this.#last.get(key);
    return row && { ...row, hash: hexOf(row.hash), at: timestamp(row.at) };
  }

  /** The payload of the newest decision that a run wrote itself. */
  decision(key: number): string | null {
    const text = this.#decision.get(key, DECISION)?.payload ?? null;
    const sha = text === null ? null : blobOf(text);
    return sha === null ? text : this.blobText(sha);
  }

  hashAt(key: number, version: number): string | null {
    const row = this.#hash.get(key, version);
    return row && hexOf(row.hash);
  }
}

const HASH_BYTES = 32;
/** Where hashes are written out, without taking memory for each. */
const hashes = Buffer.alloc(HASH_BYTES);

/** The hexadecimal text of a hash. */
export function hexOf(bytes: Uint8Array): string {
  if (bytes.byteLength > HASH_BYTES) return Buffer.from(bytes).toString('hex');
  hashes.set(bytes);
  return hashes.toString('hex', 0, bytes.byteLength);
}

export const bytesOf = (hex: string): Uint8Array => Buffer.from(hex, 'hex');

const SECOND_MS = 1_000;
const DIGITS_OF_MS = 3;
const AFTER_SECONDS = '000Z'.length;
/** The newest second that was written out: events that follow one another mostly have the same. */
let second = Number.NaN;
let upToSecond = '';

export function timestamp(ms: number): string {
  const current = Math.floor(ms / SECOND_MS);
  if (current !== second) {
    upToSecond = new Date(current * SECOND_MS).toISOString().slice(0, -AFTER_SECONDS);
    second = current;
  }
  return `${upToSecond}${String(ms - current * SECOND_MS).padStart(DIGITS_OF_MS, '0')}Z`;
}
