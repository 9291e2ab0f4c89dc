import { type Batch, loopNamed, readEvent, type ReadEvent, shippedLoops, vocabularyOf } from 'loopfold/kernel';

/** What is used of the storage of a Durable Object. */
export interface ObjectStorage {
  readonly sql: { exec(query: string, ...values: readonly unknown[]): Iterable<Readonly<Record<string, unknown>>> };
  transactionSync<T>(write: () => T): T;
  setAlarm(time: number): Promise<void>;
}

type Fact = Extract<ReadEvent, { kind: 'event' }>['event'];
type Stored = Parameters<typeof readEvent>[0];

const CONTEXT = {
  vocabulary: vocabularyOf(loopNamed('turn', shippedLoops).events),
  isWhole: true,
  knowsLoop: true,
  writtenBy: { machine: null, program: null },
};

/** The log of one run, and the effects that have begun. */
export class EventTable {
  readonly #storage: ObjectStorage;
  readonly #run: string;

  constructor(storage: ObjectStorage, run: string) {
    this.#storage = storage;
    this.#run = run;
    storage.sql.exec('CREATE TABLE IF NOT EXISTS events (version INTEGER PRIMARY KEY, event TEXT NOT NULL)');
    storage.sql.exec('CREATE TABLE IF NOT EXISTS begun (effect TEXT PRIMARY KEY)');
  }

  append({ events, states }: Batch): void {
    this.#storage.transactionSync(() => {
      for (const [index, { type, schema, payload, causation }] of events.entries()) {
        const { version = 0, at = '' } = states[index] ?? {};
        const event = JSON.stringify({ run: this.#run, version, at, type, schema, causation, payload });
        this.#storage.sql.exec('INSERT INTO events (version, event) VALUES (?, ?)', version, event);
      }
    });
  }

  /** The events as they were stored. */
  stored(): readonly Stored[] {
    const rows = this.#storage.sql.exec('SELECT event FROM events ORDER BY version');
    return [...rows].map(({ event }) => JSON.parse(String(event)) as Stored);
  }

  /** The events as this version of the library knows them. Throws where one cannot be read. */
  events(): readonly Fact[] {
    return this.stored().map((stored) => {
      const read = readEvent(stored, CONTEXT);
      if (read.kind !== 'event') throw new Error(`${stored.type}: ${read.because}`);
      return read.event;
    });
  }

  /** Marks an effect as begun. False: it was already. */
  begins(effect: string): boolean {
    const marked = this.#storage.sql.exec('INSERT OR IGNORE INTO begun (effect) VALUES (?) RETURNING effect', effect);
    return [...marked].length > 0;
  }

  wakeAt(time: number): void {
    void this.#storage.setAlarm(time);
  }
}
