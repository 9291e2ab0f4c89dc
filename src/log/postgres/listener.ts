import { setTimeout as sleep } from 'node:timers/promises';
import type { Watch } from '../watch.ts';
import type { Client } from './driver.ts';

/** The longest time until a follower sees what no notification told of. */
const FULL_LOOK_MS = 2_000;
const RECONNECT_PAUSE_MS = 500;

/**
 * Is told of the commits of other processes over a connection of its own, from the first follower on. While it is lost
 * nothing is told: after each new one everything is looked at.
 */
export class Listener {
  readonly channel: string;
  readonly #connect: () => Promise<Client>;
  readonly #watch: Watch;
  #followers = 0;
  #client: Client | null = null;
  #connecting: Promise<void> | null = null;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(schema: string, connect: () => Promise<Client>, watch: Watch) {
    this.channel = `loopfold ${schema}`;
    this.#connect = connect;
    this.#watch = watch;
  }

  async start(): Promise<void> {
    this.#followers += 1;
    if (this.#followers === 1) this.#timer = setInterval(() => this.#watch.changed(), FULL_LOOK_MS);
    if (!this.#client) await (this.#connecting ??= this.#once(this.#listen()));
  }

  stop(): void {
    this.#followers -= 1;
    if (this.#followers === 0) clearInterval(this.#timer);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    await this.#connecting?.catch(() => {});
    this.#client?.ref();
    await this.#client?.end().catch(() => {});
  }

  /** One attempt at a time. */
  #once(attempt: Promise<void>): Promise<void> {
    return attempt.finally(() => {
      this.#connecting = null;
    });
  }

  async #listen(): Promise<void> {
    const client = await this.#connect();
    client.on('error', () => this.#lost(client));
    client.on('end', () => this.#lost(client));
    client.on('notification', ({ payload = '' }) => this.#watch.changed(payload));
    await client.query(`LISTEN "${this.channel}"`);
    // Writers tell nothing while no process holds this lock.
    await client.query('SELECT pg_advisory_lock_shared(hashtextextended($1, 0))', [this.channel]);
    client.unref();
    this.#client = client;
  }

  #lost(client: Client): void {
    if (this.#client !== client) return;
    this.#client = null;
    if (!this.#isClosed) this.#connecting ??= this.#once(this.#again());
  }

  async #again(): Promise<void> {
    while (!this.#isClosed) {
      await sleep(RECONNECT_PAUSE_MS, undefined, { ref: false });
      if (
        await this.#listen().then(
          () => true,
          () => false,
        )
      )
        break;
    }
    this.#watch.changed();
  }
}
