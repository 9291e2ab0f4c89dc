import type { DatabaseSync } from 'node:sqlite';
import type { BareEvent, StoredEvent } from '../chain.ts';
import { bytesOf, hexColumn, statement, tuples } from './statement.ts';
import { timestamp } from '../timestamp.ts';

/** Events that are read at once. */
const PAGE_EVENTS = 256;
const IN_ORDER = `WHERE run = ? AND version BETWEEN ? AND ? ORDER BY version LIMIT ${PAGE_EVENTS}`;

/** A stretch of a run's versions and the run whose events they are: a fork's prefix belongs to the original. */
export interface Segment {
  readonly key: number;
  readonly run: string;
  readonly from: number;
  readonly to: number;
}

type Asked = [run: number, from: number, to: number];
type Bare = [
  version: number,
  type: unknown,
  schema: number,
  at: number,
  causation: string | null,
  payload: string | null,
  mark: string | null,
  epoch: number,
];
type Whole = [...Bare, position: number, salt: string | null, digest: string | null, hash: string];

const BARE = ['version', 'type', 'schema', 'at', 'causation', 'payload', 'mark', 'epoch'] as const;

/** Events by pages, as tuples: a name for each column and a join cost more than all the rest of reading. */
export class EventPages {
  readonly #bare;
  readonly #whole;
  readonly #typeName;

  constructor(db: DatabaseSync) {
    // The name that a key stands for is looked up, so what the column holds is not checked as one.
    const shapes = BARE.map((column) => (column === 'type' ? 'type_key' : column));
    this.#bare = tuples<Asked, Bare>(db, `SELECT ${BARE.join(', ')} FROM events ${IN_ORDER}`, shapes);
    this.#whole = tuples<Asked, Whole>(
      db,
      `SELECT ${BARE.join(', ')}, position, ${hexColumn('salt')}, ${hexColumn('digest')}, ${hexColumn('hash')}
       FROM events ${IN_ORDER}`,
      [...shapes, 'position', 'salt_hex', 'digest_hex', 'hash_hex'],
    );
    this.#typeName = statement<[key: number], { type: string }>(db, 'SELECT type FROM types WHERE key = ?');
  }

  /** The first events of a segment from a version on, at most `PAGE_EVENTS`. */
  whole({ key, run, to }: Segment, from: number): readonly StoredEvent[] {
    const nameOf = this.#names();
    return this.#whole
      .all(key, from, to)
      .map(([version, type, schema, at, causation, text, mark, epoch, position, salt, digest, hash]) => ({
        run,
        version,
        position,
        type: nameOf(type),
        schema,
        at: timestamp(at),
        causation,
        epoch,
        text,
        salt: salt === null ? null : bytesOf(salt),
        digest,
        hash,
        mark,
      }));
  }

  /** As `whole`, for those that fold a run and look at no hash. */
  bare({ key, run, to }: Segment, from: number): readonly BareEvent[] {
    const nameOf = this.#names();
    return this.#bare.all(key, from, to).map(([version, type, schema, at, causation, text, mark, epoch]) => ({
      run,
      version,
      type: nameOf(type),
      schema,
      at: timestamp(at),
      causation,
      text,
      mark,
      epoch,
    }));
  }

  /** The names of types, each asked for once a page. One that the store does not have has no name. */
  #names(): (type: unknown) => string {
    const names = new Map<unknown, string>();
    return (type) => {
      let name = names.get(type);
      if (name === undefined) {
        name = (typeof type === 'number' ? this.#typeName.get(type)?.type : undefined) ?? '';
        names.set(type, name);
      }
      return name;
    };
  }
}
