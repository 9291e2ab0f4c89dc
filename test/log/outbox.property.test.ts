import { expect, test } from 'vitest';
import type { Log } from '../../src/log/log.ts';
import { memoryLog, openSqliteLog } from '../../src/log/sqlite/engine.ts';
import type { Report } from '../../src/log/outbox-store.ts';
import { fc } from '../support/fast-check.ts';
import { appended, AT, elsewhere, fact, take } from '../../src/testing/log-contract/contract.ts';
import { temporaryStore } from './store.ts';

const FOR_MS = 100;
const urls = ['https://a.example', 'https://b.example'] as const;
const run = fc.constantFrom('r', 's');
const by = fc.constantFrom('x', 'y');

const action = fc.oneof(
  fc.record({ do: fc.constant('append' as const), run, urls: fc.subarray([...urls], { minLength: 1 }) }),
  { arbitrary: fc.record({ do: fc.constant('claim' as const), by, isPass: fc.boolean() }), weight: 3 },
  {
    arbitrary: fc.record({
      do: fc.constant('settle' as const),
      /** Which of the claims so far, some of which have expired. */
      claim: fc.nat({ max: 5 }),
      how: fc.constantFrom('delivered' as const, 'again' as const, 'given up' as const),
    }),
    weight: 3,
  },
  /** The process that has the store open ends, and another one opens it. */
  fc.record({ do: fc.constant('restart' as const) }),
  fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(1, 50, FOR_MS) }),
);

interface Row {
  readonly id: string;
  readonly line: string;
  due: number;
  tried: number;
  by: string | null;
  until: number;
  state: 'owed' | 'delivered' | 'given up';
}

test('R11 in whatever order reports are claimed and fail, both engines are a queue for each run and URL', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 5, maxLength: 40 }), async (actions) => {
      let now = Date.parse(AT);
      const options = { now: () => now, synchronous: 'NORMAL' } as const;
      const path = temporaryStore();
      const logs: [Log, Log] = [memoryLog(options), openSqliteLog(path, options)];
      const leases = await Promise.all(logs.map(async (log) => ({ r: await take(log, 'r'), s: await take(log, 's') })));
      const versions = { r: 0, s: 0 };
      const rows: Row[] = [];
      const claims: { readonly row: Row; readonly by: string; readonly reports: readonly Report[] }[] = [];
      for (const each of actions) {
        if (each.do === 'wait') now += each.ms;
        else if (each.do === 'restart') {
          await logs[1].close();
          logs[1] = openSqliteLog(path, options);
        } else if (each.do === 'append') {
          versions[each.run as 'r' | 's'] += 1;
          const version = versions[each.run as 'r' | 's'];
          const reports = each.urls.map((url) => ({ version, url, secretVariable: null, body: '{}' }));
          for (const [index, log] of logs.entries()) {
            const epoch = leases[index]?.[each.run as 'r' | 's'].epoch ?? 0;
            await appended(
              log.append({ run: each.run, events: [fact()], expectedVersion: version - 1, epoch, reports }),
            );
          }
          for (const url of each.urls) {
            const [id, line] = [`${each.run}/${version} ${url}`, `${each.run} ${url}`];
            rows.push({ id, line, due: now, tried: -1, by: null, until: 0, state: 'owed' });
          }
        } else if (each.do === 'claim') {
          const heads = rows.filter(
            (row) => row.state === 'owed' && rows.find((one) => one.line === row.line && one.state === 'owed') === row,
          );
          const able = heads
            .filter((row) => row.until <= now && (each.isPass ? row.tried < now : row.due <= now))
            .toSorted((one, other) => one.due - other.due);
          const expected = able[0] ?? null;
          const pass = each.isPass ? { lastTriedBefore: new Date(now).toISOString() } : {};
          const asked = { by: elsewhere(each.by), forMs: FOR_MS, variables: [], ...pass };
          const got = await Promise.all(logs.map((log) => log.claimReport(asked)));
          expect(got.map((one) => one && `${one.id} ${one.url}`)).toEqual(logs.map(() => expected?.id ?? null));
          if (!expected) continue;
          Object.assign(expected, { by: each.by, until: now + FOR_MS, tried: now });
          claims.push({ row: expected, by: each.by, reports: got.filter((one) => one !== null) });
        } else {
          const claim = claims[each.claim];
          if (!claim) continue;
          const { row } = claim;
          const isHeld = row.state === 'owed' && row.by === claim.by;
          const settled = await Promise.all(
            claim.reports.map((report, index) => settle(logs[index], report, claim.by, each.how)),
          );
          expect(settled).toEqual(logs.map(() => isHeld));
          if (!isHeld) continue;
          Object.assign(row, { by: null, until: 0 });
          if (each.how === 'again') row.due = now + 20;
          else row.state = each.how;
        }
      }
      const open = rows.filter(({ state }) => state !== 'delivered').map(({ id }) => id);
      for (const log of logs) {
        const kept = await log.undelivered();
        expect(kept.map(({ id, url }) => `${id} ${url}`)).toEqual(open);
        await log.close();
      }
    }),
    { numRuns: 80 },
  );
});

async function settle(log: Log | undefined, report: Report, by: string, how: 'delivered' | 'again' | 'given up') {
  if (how === 'delivered') return log?.reportDelivered(report, elsewhere(by));
  return log?.reportFailed(report, elsewhere(by), { error: how, againInMs: how === 'again' ? 20 : null });
}
