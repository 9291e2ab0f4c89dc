import { expect, test } from 'vitest';
import type { Log } from '../../src/log/log.ts';
import { LEASE_TTL_MS } from '../../src/log/lease-store.ts';
import { memoryLog, openSqliteLog } from '../../src/log/sqlite/engine.ts';
import { fc } from '../support/fast-check.ts';
import { all, AT, elsewhere, decided, fact } from '../../src/testing/log-contract/contract.ts';
import { LogModel } from './log.model.ts';
import { temporaryStore } from './store.ts';

const run = fc.constantFrom('a', 'b', 'c', 'd');
const parentEffect = fc.option(fc.constantFrom('a/1/0', 'b/1/0'), { nil: undefined, freq: 3 });
const closes = fc.option(fc.constant('success'), { nil: undefined, freq: 12 });
const offBy = fc.oneof({ arbitrary: fc.constant(0), weight: 5 }, fc.constantFrom(-1, 1));

const action = fc.oneof(
  fc.record({ do: fc.constant('take' as const), run, token: fc.constantFrom('x', 'y') }),
  fc.record({ do: fc.constant('release' as const), run, offBy }),
  fc.record({ do: fc.constant('renew' as const), run, offBy }),
  fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(1, LEASE_TTL_MS - 1, LEASE_TTL_MS) }),
  {
    arbitrary: fc.record({
      do: fc.constant('append' as const),
      run,
      length: fc.integer({ min: 1, max: 3 }),
      behind: offBy,
      epochOffBy: offBy,
      delivers: fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 2 }),
      parentEffect,
      closes,
    }),
    weight: 8,
  },
  fc.record({ do: fc.constant('fork' as const), from: run, at: fc.integer({ min: 0, max: 6 }), to: run }),
  fc.record({ do: fc.constant('post' as const), run }),
  fc.record({ do: fc.constant('reject' as const), entry: fc.integer({ min: 1, max: 4 }) }),
);
export type Action = typeof action extends fc.Arbitrary<infer A> ? A : never;

test('whatever is asked in whatever order, a log answers as a simple model does, in memory and in a file', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 5, maxLength: 60 }), async (actions) => {
      let now = Date.parse(AT);
      const model = new LogModel(() => now);
      const options = { now: () => now, synchronous: 'NORMAL' } as const;
      const engines = [memoryLog(options), openSqliteLog(temporaryStore(), options)];
      for (const each of actions) {
        if (each.do === 'wait') now += each.ms;
        else {
          const asked = model.complete(each);
          const expected = model.answer(asked);
          for (const log of engines) expect(await answer(log, asked)).toEqual(expected);
        }
      }
      for (const log of engines) {
        expect(await histories(log, model)).toEqual(model.histories());
        await log.close();
      }
    }),
    { numRuns: 60 },
  );
});

async function histories(log: Log, model: LogModel) {
  const found: Record<string, unknown> = {};
  for (const { run: name, version, root, closed } of await log.runs()) {
    const events = (await all(log.read(name))).map((envelope) => `${envelope.run}/${envelope.version}`);
    expect(await log.verify(name)).toMatchObject({ kind: 'intact', version });
    found[name] = { root, closed, events };
  }
  for (const entry of model.entries()) expect((await log.entry(entry.id))?.status).toEqual(entry.status);
  return found;
}

/** Asks an engine, and keeps of its answer what a model without hashes and positions can know. */
async function answer(log: Log, asked: ReturnType<LogModel['complete']>): Promise<unknown> {
  switch (asked.do) {
    case 'take': {
      const result = await log.acquire(asked.run, elsewhere(asked.token));
      return result.kind === 'leased' ? { kind: result.kind, epoch: result.lease.epoch } : { kind: result.kind };
    }
    case 'release':
      return log.release({ root: asked.run, epoch: asked.epoch, holder: elsewhere('x') });
    case 'renew':
      return log.renew({ root: asked.run, epoch: asked.epoch, holder: elsewhere('x') });
    case 'append': {
      const { expectedVersion, epoch, delivers } = asked;
      const events = Array.from({ length: asked.length }, (_, index) =>
        asked.closes !== undefined && index === asked.length - 1 ? decided(asked.closes) : fact({ index }),
      );
      const optional = {
        ...(asked.closes === undefined ? {} : { closes: asked.closes }),
        ...(asked.parentEffect === undefined ? {} : { parentEffect: asked.parentEffect }),
      };
      try {
        const result = await log.append({ run: asked.run, events, expectedVersion, epoch, delivers, ...optional });
        return result.kind === 'appended' ? { kind: 'appended', last: result.envelopes.at(-1)?.version } : result;
      } catch (error) {
        return error instanceof TypeError ? { kind: 'bug' } : error;
      }
    }
    case 'fork': {
      const result = await log.fork(asked);
      return result.kind === 'forked' ? { kind: 'forked', version: result.run.version } : result;
    }
    case 'post':
      return (await log.post(asked.run, { type: 'abort.requested', payload: null })).id;
    case 'reject':
      return log.reject(asked.entry, 'no');
  }
}
