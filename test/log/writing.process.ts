// A process that writes to a store, told what to do by its arguments; its answers are lines of JSON on stdout.
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { thisProcess } from '../../src/log/holder.ts';
import type { Log } from '../../src/log/log.ts';
import type { Lease } from '../../src/log/lease-store.ts';
import { openSqliteLog } from '../../src/log/sqlite/engine.ts';
import { appended, decided, fact, take } from '../../src/testing/log-contract/contract.ts';

const [task = '', path = '', run = '', count = '0'] = process.argv.slice(2);
const say = (value: unknown) => process.stdout.write(`${JSON.stringify(value)}\n`);
if (task === 'opens') say('opening');
const log = openSqliteLog(path);

const tasks: Record<string, () => Promise<void>> = {
  /** Only makes sure that there is a store. */
  async opens() {
    say(await log.runs());
  },
  /** Appends to a run of its own, two events at a time, and ends it. */
  async writes() {
    const { epoch } = await take(log, run);
    for (let version = 0; version < Number(count); version += 2) {
      const closes = version + 2 >= Number(count) ? { closes: 'success' } : {};
      const events = [fact({ version }), 'closes' in closes ? decided('success') : fact('x'.repeat(version))];
      await appended(log.append({ run, events, expectedVersion: version, epoch, ...closes }));
      say(version + 2);
    }
  },
  /** Shares one run with others: takes the lease, adds one event, gives it back, as often as asked. */
  async fights() {
    for (let index = 0; index < Number(count); index += 1) {
      const lease = await eventually(log);
      const expectedVersion = (await log.run(run))?.version ?? 0;
      const events = [fact({ pid: process.pid, index })];
      await appended(log.append({ run, events, expectedVersion, epoch: lease.epoch }));
      await log.release(lease);
    }
  },
  /** Appends once, then once more when told to, whatever has happened meanwhile. */
  async waits() {
    const { epoch } = await take(log, run);
    await appended(log.append({ run, events: [fact()], expectedVersion: 0, epoch }));
    say('ready');
    await new Promise((resolve) => process.stdin.once('data', resolve));
    say(await log.append({ run, events: [fact()], expectedVersion: 1, epoch }));
    process.stdin.destroy();
  },
  /** Told a version, appends behind it under the first lease, whatever others append; told nothing, ends. */
  async takesPart() {
    say('ready');
    for await (const line of createInterface(process.stdin)) {
      const { expectedVersion, closes } = JSON.parse(line) as { expectedVersion: number; closes: string | null };
      const ends = closes === null ? {} : { closes };
      const events = [closes === null ? fact() : decided(closes)];
      const result = await log.append({ run, events, expectedVersion, epoch: 1, ...ends });
      say(result.kind === 'appended' ? result.kind : result);
    }
  },
  /** Appends pairs until the store fails, then says how, and what is left. */
  async fills() {
    const { epoch } = await take(log, run);
    const append = (expectedVersion: number) =>
      log.append({ run, events: [fact('x'.repeat(3_000))], expectedVersion, epoch });
    for (let version = 0; ; version += 2) {
      const pair = await Promise.allSettled([append(version), append(version + 1)]);
      if (pair.every(({ status }) => status === 'fulfilled')) continue;
      const kinds = pair.map((outcome) => (outcome.status === 'rejected' ? outcome.reason.kind : outcome.value.kind));
      const verified = await log.verify(run);
      say({ version, kinds, verified, record: await log.run(run) });
      return;
    }
  },
};

async function eventually(shared: Log): Promise<Lease> {
  for (;;) {
    const result = await shared.acquire(run, thisProcess());
    if (result.kind === 'leased') return result.lease;
    await delay(1);
  }
}

await tasks[task]?.();
await log.close();
