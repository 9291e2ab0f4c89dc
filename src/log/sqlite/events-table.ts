import type { DatabaseSync } from 'node:sqlite';
import type { Head, StoredEvent, Unplaced } from '../chain.ts';
import { DECISION, type LastEvent } from '../last-record.ts';
import { type Blob, blobOf } from '../prepare-events.ts';
import { bytesOf, hexOf, statement } from './statement.ts';
import { timestamp } from '../timestamp.ts';
import { EventPages } from './event-pages.ts';

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
  readonly pages: EventPages;
  readonly #insert;
  readonly #type;
  readonly #insertType;
  readonly #insertBlob;
  readonly #blob;
  readonly #last;
  readonly #decision;
  readonly #hash;
  /** Keys of types as far as this process knows them: a type, once committed, keeps its key for ever. */
  readonly #typeKeys = new Map<string, number>();

  constructor(db: DatabaseSync) {
    this.pages = new EventPages(db);
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
