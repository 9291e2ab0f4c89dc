import type { DatabaseSync } from 'node:sqlite';
import { jsonIn } from '../../../text/json-in.ts';
import { bytesOf, statement } from '../statement.ts';
import { EventsTable } from '../events-table.ts';
import type { Json } from '../../envelope.ts';
import { blobOf, storedText } from '../../prepare-events.ts';
import { type RunRow, RunsTable } from '../runs-table.ts';

type Payload = { readonly [member: string]: unknown };

type Sent = [root: string, type: string, text: string, since: number];

/** A command that waits. `since`: no event of before is it, in milliseconds since 1970. */
interface SentCommand {
  readonly root: string;
  readonly type: string;
  readonly payload: string;
  readonly since: number;
}

/** What rows beside the events are compared with: the runs, and what their events say. */
export class Owners {
  readonly #events: EventsTable;
  readonly #runs: RunsTable;
  readonly #inTree;
  readonly #undelivered;
  readonly #epoch;
  readonly #unleased;

  constructor(db: DatabaseSync) {
    this.#events = new EventsTable(db);
    this.#runs = new RunsTable(db, this.#events);
    this.#inTree = statement<[root: string, version: number, type: string], object>(
      db,
      `SELECT 1 FROM runs JOIN events ON events.run = runs.key JOIN types ON types.key = events.type
       WHERE runs.root = ? AND events.version = ? AND types.type = ? LIMIT 1`,
    );
    this.#undelivered = statement<
      [...Sent, root: string, type: string],
      { readonly run: string; readonly version: number }
    >(
      db,
      `SELECT runs.run AS run, events.version AS version
       FROM runs JOIN events ON events.run = runs.key JOIN types ON types.key = events.type
       WHERE runs.root = ? AND types.type = ? AND events.payload = ? AND events.at >= ? AND NOT EXISTS
         (SELECT 1 FROM inbox WHERE inbox.root = ? AND inbox.type = ? AND inbox.delivered = events.version)
       ORDER BY events.position LIMIT 1`,
    );
    this.#epoch = statement<[root: string], { readonly epoch: number }>(
      db,
      `SELECT coalesce(max(events.epoch), 0) AS epoch FROM runs JOIN events ON events.run = runs.key
       WHERE runs.root = ?`,
    );
    this.#unleased = statement<[], { readonly root: string }>(
      db,
      `SELECT DISTINCT root FROM runs WHERE root NOT IN (SELECT root FROM leases)
       AND EXISTS (SELECT 1 FROM events WHERE events.run = runs.key)`,
    );
  }

  /** Trees with events whose lease has no row: their epochs would begin again. */
  rootsWithoutLease(): readonly string[] {
    return this.#unleased.all().map(({ root }) => root);
  }

  /** The row of a run, or null where there is no such run. */
  runOf(run: string): RunRow | null {
    return this.#runs.find(run);
  }

  /** The root of a run's tree, or null where there is no such run. */
  rootOf(run: string): string | null {
    return this.runOf(run)?.root ?? null;
  }

  /** Whether some run of a tree recorded an event of this type as this version. */
  hasInTree(root: string, version: number, type: string): boolean {
    return this.#inTree.get(root, version, type) !== null;
  }

  /** `RUN/VERSION` of an event that is what such a command becomes, where no command was delivered as that version. */
  undelivered({ root, type, payload, since }: SentCommand): string | null {
    const json = jsonIn(payload);
    const text = json === undefined ? payload : storedText(json as Json).text;
    const event = this.#undelivered.get(root, type, text, since, root, type);
    return event && `${event.run}/${event.version}`;
  }

  /** The newest epoch in which the events of a tree were written. */
  newestEpoch(root: string): number {
    return this.#epoch.get(root)?.epoch ?? 0;
  }

  /** When a version of a run was recorded, with its hash; null where it has none. */
  eventOf(run: string, version: number): { readonly at: string; readonly hash: Uint8Array } | null {
    const event = this.#eventOf(run, version);
    return event && { at: event.at, hash: bytesOf(event.hash) };
  }

  /** Where a run reports, as its first event says. Null where that cannot be read. */
  webhooksOf(run: string): readonly Payload[] | null {
    const text = this.#eventOf(run, 1)?.text ?? null;
    const sha = text === null ? null : blobOf(text);
    const { settings } = Object(jsonIn((sha === null ? text : this.#events.blobText(sha)) ?? '')) as Payload;
    if (settings === undefined) return null;
    const { webhooks = [] } = Object(settings) as { readonly webhooks?: unknown };
    return Array.isArray(webhooks) ? webhooks.map((one) => Object(one) as Payload) : null;
  }

  #eventOf(run: string, version: number) {
    const row = this.#runs.find(run);
    const segment = row && this.#runs.segments(row).find(({ from, to }) => version >= from && version <= to);
    return (segment && this.#events.pages.whole({ ...segment, to: version }, version)[0]) ?? null;
  }
}
