import { setTimeout as sleep } from 'node:timers/promises';
import type { Append } from '../event-store.ts';
import { OwnLeases } from '../own-leases.ts';
import type { Prepared } from '../prepare-events.ts';
import { Watch } from '../watch.ts';
import { appendGroup } from './append-group.ts';
import type { Answer, AppendJob } from './append-job.ts';
import { BinaryArrays } from './binary-arrays.ts';
import { type Client, PLANNING, type Pool } from './driver.ts';
import { GroupWriter, RECONNECT_FOR_MS, type Work, type WriteJob } from './group-writer.ts';
import { KnownHeads } from './head-cache.ts';
import { Listener } from './listener.ts';
import { failureOf, isLost, unavailable } from './server-failure.ts';
import type { ServerAddress } from '../server-address.ts';

/** Work of one caller inside a transaction. `isAgain`: it may have been done before, as `Work.run` says. */
export type Write<T> = (client: Client, isAgain: boolean) => Promise<T>;

interface OtherJob extends WriteJob {
  readonly kind: 'other';
  readonly work: Write<void>;
}
type Job = AppendJob | OtherJob;

/** The settings by which the connections of a log are made. */
export interface Connecting {
  readonly address: ServerAddress;
  readonly pool: Pool;
  /** A connection of its own, outside of the pool. */
  readonly connect: () => Promise<Client>;
}

export interface ServerTime {
  /** The time that a caller gives, in ms since 1970; null where the time of the server counts. */
  readonly now: (() => number) | null;
  readonly monotonic: () => number;
}

const READ_PAUSE_MS = 100;

/** An open log on a server, as its parts share it: reads go through a pool, and all writes over one connection. */
export class Server {
  readonly store: string;
  readonly own: OwnLeases;
  readonly watch = new Watch();
  readonly listener: Listener;
  readonly #connecting: Connecting;
  readonly #heads = new KnownHeads();
  readonly #arrays = new BinaryArrays();
  readonly #writer: GroupWriter<Job>;
  readonly #time: ServerTime;
  #client: Client | null = null;
  #isClosed = false;

  constructor(connecting: Connecting, time: ServerTime) {
    const { address, connect } = connecting;
    this.store = address.store;
    this.own = new OwnLeases(time.monotonic);
    this.#connecting = connecting;
    this.#time = time;
    this.listener = new Listener(address.schema, connect, this.watch);
    this.#writer = new GroupWriter<Job>({
      connect: () => this.#connected(),
      settled: () => this.#client?.unref(),
      worksOf: (jobs) => this.#worksOf(jobs),
      rolledBack: () => this.#heads.forget(),
    });
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** The parameter of `store_time`. */
  get given(): number | null {
    return this.#time.now?.() ?? null;
  }

  /** Asks outside of any transaction of the writer, and again where a connection was lost. */
  async reading<Row extends object>(text: string, values: readonly unknown[] = []): Promise<readonly Row[]> {
    this.assertOpen();
    const until = performance.now() + RECONNECT_FOR_MS;
    for (;;) {
      try {
        return (await this.#connecting.pool.query<Row>(text, [...values])).rows;
      } catch (error) {
        if (this.#isClosed || !isLost(error) || performance.now() > until) throw failureOf(this.store, error);
        await sleep(READ_PAUSE_MS);
      }
    }
  }

  append(request: Append, events: readonly Prepared[], sent: AppendJob['sent']): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const job: AppendJob = {
        kind: 'append',
        request,
        events,
        sent,
        chained: null,
        answer: null,
        mayBeDone: false,
        committed: () => (job.answer ? resolve(job.answer) : reject(new Error('committed without answer'))),
        failed: (error) => reject(failureOf(this.store, error)),
      };
      this.#writer.add(job);
    });
  }

  write<T>(work: Write<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      let result: { readonly value: T } | null = null;
      this.#writer.add({
        kind: 'other',
        work: async (client, isAgain) => {
          result = { value: await work(client, isAgain) };
        },
        committed: () => (result ? resolve(result.value) : reject(new Error('committed without having been done'))),
        failed: (error) => reject(failureOf(this.store, error)),
      });
    });
  }

  assertOpen(): void {
    if (this.#isClosed) throw unavailable(this.store, 'the log was closed', 'Open it again.');
  }

  /** Closes the log once what was asked for before is done. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.watch.changed();
    await this.#writer.idle();
    // A connection that does not keep the process alive would not end within its life.
    this.#client?.ref();
    await Promise.all([this.listener.close(), this.#client?.end().catch(() => {}), this.#connecting.pool.end()]);
  }

  async #connected(): Promise<Client> {
    if (this.#client) {
      this.#client.ref();
      return this.#client;
    }
    const client = await this.#connecting.connect();
    await client.query(PLANNING);
    const gone = () => {
      if (this.#client === client) this.#client = null;
    };
    client.on('error', gone);
    client.on('end', gone);
    this.#client = client;
    return client;
  }

  /** Appends to different runs that follow each other are one statement. */
  #worksOf(jobs: readonly Job[]): readonly Work[] {
    const works: Work[] = [];
    let group: AppendJob[] = [];
    const endGroup = () => {
      const appends = group;
      if (appends.length > 0)
        works.push({ isAtomic: true, run: (client, isAgain) => this.#append(client, appends, isAgain) });
      group = [];
    };
    for (const job of jobs) {
      if (job.kind === 'other') {
        endGroup();
        works.push({ isAtomic: false, run: job.work });
        continue;
      }
      if (group.some((one) => dependsOn(job.request, one.request))) endGroup();
      group.push(job);
    }
    endGroup();
    return works;
  }

  #append(client: Client, jobs: readonly AppendJob[], isAgain: boolean): Promise<void> {
    const telling = { now: this.given, channel: this.listener.channel, arrays: this.#arrays };
    return appendGroup(client, jobs, this.#heads, telling, isAgain);
  }
}

/** Tells whether an append has to see what an earlier one has written. */
const dependsOn = ({ run, parentEffect }: Append, earlier: Append): boolean =>
  run === earlier.run ||
  earlier.releasesLease === true ||
  (parentEffect !== undefined && (parentEffect === earlier.parentEffect || parentEffect.startsWith(`${earlier.run}/`)));
