import type { DatabaseSync } from 'node:sqlite';
import type { Json } from '../envelope.ts';
import {
  type InboxCommand,
  type InboxEntry,
  entryOf,
  INBOX_COLUMNS,
  type InboxRow,
  IS_WAITING,
} from '../inbox-store.ts';
import { canonicalText } from '../canonical-text.ts';
import { jsonIn } from '../../text/json-in.ts';
import { MisshapenError } from './row-shape.ts';
import { statement } from './statement.ts';

const SELECT = `SELECT ${INBOX_COLUMNS} FROM inbox`;

/** The table `inbox`. An entry is delivered or rejected once; later attempts change nothing. */
export class InboxTable {
  readonly #insert;
  readonly #waiting;
  readonly #waitingTrees;
  readonly #count;
  readonly #entry;
  readonly #deliver;
  readonly #reject;

  constructor(db: DatabaseSync) {
    this.#insert = statement<[root: string, run: string, type: string, payload: string, at: number]>(
      db,
      'INSERT INTO inbox (root, run, type, payload, at) VALUES (?, ?, ?, ?, ?)',
    );
    this.#waiting = statement<[root: string], InboxRow>(db, `${SELECT} WHERE root = ? AND ${IS_WAITING} ORDER BY id`);
    this.#waitingTrees = statement<[], { root: string }>(db, `SELECT DISTINCT root FROM inbox WHERE ${IS_WAITING}`);
    this.#count = statement<[root: string], { entries: number }>(
      db,
      `SELECT count(*) AS entries FROM inbox WHERE root = ? AND ${IS_WAITING}`,
    );
    this.#entry = statement<[id: number], InboxRow>(db, `${SELECT} WHERE id = ?`);
    this.#deliver = statement<[version: number, id: number, root: string]>(
      db,
      `UPDATE inbox SET delivered = ? WHERE id = ? AND root = ? AND ${IS_WAITING}`,
    );
    this.#reject = statement<[reason: string, id: number]>(
      db,
      `UPDATE inbox SET rejected = ? WHERE id = ? AND ${IS_WAITING}`,
    );
  }

  post(root: string, run: string, { type, payload }: InboxCommand, at: number): InboxEntry {
    const text = canonicalText(payload);
    const id = this.#insert.run(root, run, type, text, at);
    return entryIn({ id, run, type, payload: text, at, delivered: null, rejected: null });
  }

  waiting(root: string): readonly InboxEntry[] {
    return this.#waiting.all(root).map(entryIn);
  }

  waitingTrees(): readonly string[] {
    return this.#waitingTrees.all().map(({ root }) => root);
  }

  countWaiting(root: string): number {
    return this.#count.get(root)?.entries ?? 0;
  }

  entry(id: number): InboxEntry | null {
    const row = this.#entry.get(id);
    return row && entryIn(row);
  }

  deliver(id: number, version: number, root: string): void {
    this.#deliver.run(version, id, root);
  }

  reject(id: number, reason: string): void {
    this.#reject.run(reason, id);
  }
}

const entryIn = (row: InboxRow): InboxEntry => entryOf(row, payloadIn(row.payload));

function payloadIn(text: string): Json {
  const payload = jsonIn(text);
  if (payload === undefined) throw new MisshapenError('the column payload of the inbox holds no JSON');
  return payload as Json;
}
