import { afterEach, describe, expect, test } from 'vitest';
import type { Json } from '../../src/log/envelope.ts';
import { thisProcess } from '../../src/log/holder.ts';
import { BLOB_THRESHOLD_BYTES, LEASE_TTL_MS, type Log, MAX_EVENT_BYTES } from '../../src/log/log.ts';
import { all, appended, AT, elsewhere, fact, history, take, upTo } from './facts.ts';

const NOON_MS = Date.parse(AT);

/** What every engine promises. `open` makes a fresh, empty log whose store time is `now`. */
export function logContract(open: (now: () => number) => Promise<Log>): void {
  let now = NOON_MS;
  const logs: Log[] = [];
  const fresh = async () => {
    now = NOON_MS;
    const log = await open(() => now);
    logs.push(log);
    return log;
  };
  afterEach(async () => {
    for (const log of logs.splice(0)) await log.close();
  });

  describe('append', () => {
    test('appended: versions are contiguous, positions rise, and the envelopes are what a reader gets', async () => {
      const log = await fresh();
      const { epoch } = await take(log, 'a');
      const first = await appended(log.append({ run: 'a', events: [fact(), fact()], expectedVersion: 0, epoch }));
      await history(log, 'b', 1);
      const causation = '2/1';
      const events = [fact({ z: [1, -0], a: { y: null } }, { causation, schema: 3 })];
      const second = await appended(log.append({ run: 'a', events, expectedVersion: 2, epoch }));
      expect([...first, ...second].map(({ version }) => version)).toEqual([1, 2, 3]);
      expect(second[0]).toMatchObject({ run: 'a', type: 'tool.completed', schema: 3, at: AT, causation, epoch });
      expect(second[0]?.position).toBeGreaterThan(first[1]?.position ?? Infinity);
      expect(second[0]?.payload).toEqual({ z: [1, 0], a: { y: null } });
      expect(await all(log.read('a'))).toEqual([...first, ...second]);
    });

    test('conflict: says where the run really is, and writes nothing', async () => {
      const log = await fresh();
      const { epoch } = await history(log, 'a', 2);
      const append = (run: string, expectedVersion: number) =>
        log.append({ run, events: [fact()], expectedVersion, epoch });
      expect(await append('a', 1)).toEqual({ kind: 'conflict', version: 2 });
      expect(await append('a', 3)).toEqual({ kind: 'conflict', version: 2 });
      await take(log, 'b');
      expect(await append('b', 1)).toEqual({ kind: 'conflict', version: 0 });
      expect(await all(log.read('a'))).toHaveLength(2);
    });

    test('fenced: without a lease, with an older or newer epoch, and after giving the lease back', async () => {
      const log = await fresh();
      const append = (epoch: number) => log.append({ run: 'a', events: [fact()], expectedVersion: 0, epoch });
      expect(await append(0)).toEqual({ kind: 'fenced', epoch: 0 });
      const stale = await take(log, 'a', elsewhere('1'));
      now += LEASE_TTL_MS;
      const lease = await take(log, 'a', elsewhere('2'));
      expect(await append(stale.epoch)).toEqual({ kind: 'fenced', epoch: lease.epoch });
      expect(await append(lease.epoch + 1)).toEqual({ kind: 'fenced', epoch: lease.epoch });
      await log.release(lease);
      expect(await append(lease.epoch)).toEqual({ kind: 'fenced', epoch: lease.epoch });
      expect(await log.run('a')).toBeNull();
    });

    test('an expired lease that nobody took still writes', async () => {
      const log = await fresh();
      const { epoch } = await take(log, 'a', elsewhere('1'));
      now += LEASE_TTL_MS + 1;
      await appended(log.append({ run: 'a', events: [fact()], expectedVersion: 0, epoch }));
    });

    test('closed: after its ending a run takes nothing, and says which ending', async () => {
      const log = await fresh();
      const { epoch } = await history(log, 'a', 1);
      await appended(log.append({ run: 'a', events: [fact()], expectedVersion: 1, epoch, closes: 'success' }));
      const late = await log.append({ run: 'a', events: [fact()], expectedVersion: 2, epoch });
      expect(late).toEqual({ kind: 'closed', ending: 'success' });
      expect(await log.run('a')).toMatchObject({ version: 2, closed: 'success' });
    });

    test('not_json: names event, path and what was found, and none of the events is written', async () => {
      const log = await fresh();
      const { epoch } = await take(log, 'a');
      const append = (payload: unknown) =>
        log.append({ run: 'a', events: [fact(), fact(payload as Json)], expectedVersion: 0, epoch });
      const date = await append({ calls: [{ at: new Date() }] });
      expect(date).toEqual({ kind: 'not_json', index: 1, path: '$.calls[0].at', found: 'an instance of Date' });
      expect(await append({ $blob: 'x' })).toMatchObject({ kind: 'not_json', path: '$.$blob' });
      expect(await log.run('a')).toBeNull();
    });

    test('too_large: says how large and how large it may be', async () => {
      const log = await fresh();
      const { epoch } = await take(log, 'a');
      const append = (length: number) =>
        log.append({ run: 'a', events: [fact('x'.repeat(length))], expectedVersion: 0, epoch });
      const bytes = MAX_EVENT_BYTES + 1;
      const limitBytes = MAX_EVENT_BYTES;
      expect(await append(bytes - 2)).toEqual({ kind: 'too_large', index: 0, bytes, limitBytes });
      expect(await append(limitBytes - 2)).toMatchObject({ kind: 'appended' });
    });

    test('duplicate_child: an effect opens one run, and says which', async () => {
      const log = await fresh();
      const { epoch } = await history(log, 'parent', 1);
      const open = (run: string) =>
        log.append({ run, events: [fact()], expectedVersion: 0, epoch, parentEffect: 'parent/1/0' });
      expect(await open('child')).toMatchObject({ kind: 'appended' });
      expect(await open('twin')).toEqual({ kind: 'duplicate_child', run: 'child' });
      expect(await open('child')).toEqual({ kind: 'duplicate_child', run: 'child' });
      expect(await log.run('twin')).toBeNull();
    });

    test('a lease held at the root is checked at every append of the tree', async () => {
      const log = await fresh();
      const { epoch } = await history(log, 'root', 1);
      const open = (run: string, parentEffect: string) =>
        appended(log.append({ run, events: [fact()], expectedVersion: 0, epoch, parentEffect }));
      await open('child', 'root/1/0');
      await open('grandchild', 'child/1/0');
      const root = { root: 'root', parentEffect: 'child/1/0' };
      expect(await log.findByParentEffect('child/1/0')).toMatchObject({ run: 'grandchild', ...root });
      const own = await take(log, 'grandchild');
      const append = (by: number) => log.append({ run: 'grandchild', events: [fact()], expectedVersion: 1, epoch: by });
      expect(await append(own.epoch + 1)).toEqual({ kind: 'fenced', epoch });
      expect(await append(epoch)).toMatchObject({ kind: 'appended' });
    });

    test('a refused append leaves its neighbours of the same moment alone', async () => {
      const log = await fresh();
      for (const run of ['a', 'b', 'c']) await take(log, run);
      const append = (run: string, expectedVersion: number) =>
        log.append({ run, events: [fact()], expectedVersion, epoch: 1 });
      const orphan = { run: 'd', events: [fact()], expectedVersion: 0, epoch: 1, parentEffect: 'nobody/1/0' };
      const outcomes = await Promise.allSettled([append('a', 0), append('b', 7), log.append(orphan), append('c', 0)]);
      const kinds = outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value.kind : 'thrown'));
      expect(kinds).toEqual(['appended', 'conflict', 'thrown', 'appended']);
      expect((await log.runs()).map(({ run }) => run)).toEqual(['a', 'c']);
    });

    test('of two appends for one version the first wins', async () => {
      const log = await fresh();
      const { epoch } = await take(log, 'a');
      const append = () => log.append({ run: 'a', events: [fact()], expectedVersion: 0, epoch });
      const [first, second] = await Promise.all([append(), append()]);
      expect(first).toMatchObject({ kind: 'appended' });
      expect(second).toEqual({ kind: 'conflict', version: 1 });
    });

    test('what is no append at all is a bug, and says what was expected', async () => {
      const log = await fresh();
      const { epoch } = await take(log, 'a');
      const append = { run: 'a', events: [fact()], expectedVersion: 0, epoch };
      await expect(log.append({ ...append, events: [] })).rejects.toThrow('at least one event');
      await expect(log.append({ ...append, run: '../a' })).rejects.toThrow('run "../a"');
      await expect(log.append({ ...append, expectedVersion: 0.5 })).rejects.toThrow('expectedVersion 0.5');
      await expect(log.append({ ...append, parentEffect: 'b' })).rejects.toThrow('RUN/version/n');
      await expect(log.append({ ...append, parentEffect: 'a/1/0' })).rejects.toThrow('cannot open itself');
      await expect(log.append({ ...append, parentEffect: 'b/1/0' })).rejects.toThrow('does not know the run');
      await expect(log.append({ ...append, expectedVersion: 1, parentEffect: 'b/1/0' })).rejects.toThrow('only opens');
      await expect(log.append({ ...append, events: [fact({}, { at: '2026-03-01' })] })).rejects.toThrow('RFC 3339');
      await expect(log.append({ ...append, events: [fact({}, { at: `+01${AT}` })] })).rejects.toThrow('RFC 3339');
      await expect(log.append({ ...append, events: [fact({}, { schema: 0 })] })).rejects.toThrow('schema 0');
      await expect(log.append({ ...append, events: [fact({}, { type: '' })] })).rejects.toThrow('expected a name');
      expect(await log.runs()).toEqual([]);
    });

    test('a payload changed after the append or the read changes nothing', async () => {
      const log = await fresh();
      const { epoch } = await take(log, 'a');
      const payload = { list: [1] };
      const append = { run: 'a', events: [fact(payload)], expectedVersion: 0, epoch };
      for (const envelope of await appended(log.append(append))) {
        payload.list.push(2);
        (envelope.payload as typeof payload).list.push(3);
      }
      expect((await all(log.read('a')))[0]?.payload).toEqual({ list: [1] });
      expect(await log.verify('a')).toMatchObject({ kind: 'intact', version: 1 });
    });
  });

  describe('read', () => {
    test('a range includes both ends, and an unknown run reads as empty', async () => {
      const log = await fresh();
      await history(log, 'a', 5);
      const versions = async (range?: { from?: number; to?: number }) =>
        (await all(log.read('a', range))).map(({ version }) => version);
      expect(await versions()).toEqual([1, 2, 3, 4, 5]);
      expect(await versions({ from: 2, to: 4 })).toEqual([2, 3, 4]);
      expect(await versions({ from: 4 })).toEqual([4, 5]);
      expect(await versions({ from: 0, to: 1 })).toEqual([1]);
      expect(await versions({ from: 6 })).toEqual([]);
      expect(await versions({ from: 3, to: 2 })).toEqual([]);
      expect(await all(log.read('b'))).toEqual([]);
    });

    test('more events than any page holds come in order, and a reader may stop early', async () => {
      const log = await fresh();
      await history(log, 'a', 1_500);
      const indices = (await all(log.read('a'))).map(({ payload }) => (payload as { index: number }).index);
      expect(indices).toEqual(upTo(1_500).map((version) => version - 1));
      for await (const { version } of log.read('a')) if (version === 3) break;
      expect(await all(log.read('a', { from: 1_500 }))).toHaveLength(1);
    });

    test('a payload over the threshold comes back whole, and the chain holds the reference', async () => {
      const log = await fresh();
      const { epoch } = await take(log, 'a');
      const atLimit = 'x'.repeat(BLOB_THRESHOLD_BYTES - 2);
      const events = [fact(atLimit), fact(`${atLimit}é`), fact(`${atLimit}é`)];
      const written = await appended(log.append({ run: 'a', events, expectedVersion: 0, epoch }));
      expect(written.map(({ payload }) => payload)).toEqual(events.map(({ payload }) => payload));
      expect(await all(log.read('a'))).toEqual(written);
      expect(await log.verify('a')).toMatchObject({ kind: 'intact', version: 3 });
    });
  });

  describe('follow', () => {
    test('gives what is there and what comes, from a version on, and ends with the run', async () => {
      const log = await fresh();
      const { epoch } = await history(log, 'a', 3);
      const { signal } = new AbortController();
      const followed = all(log.follow('a', { from: 2, signal }));
      await appended(log.append({ run: 'a', events: [fact(), fact()], expectedVersion: 3, epoch }));
      await history(log, 'b', 1);
      await appended(log.append({ run: 'a', events: [fact()], expectedVersion: 5, epoch, closes: 'abort' }));
      expect((await followed).map(({ version }) => version)).toEqual([2, 3, 4, 5, 6]);
      expect(await all(log.follow('a', { signal }))).toHaveLength(6);
    });

    test('a run that does not exist yet is waited for', async () => {
      const log = await fresh();
      const first = log.follow('a', { signal: new AbortController().signal })[Symbol.asyncIterator]();
      const next = first.next();
      await history(log, 'a', 1);
      expect((await next).value).toMatchObject({ run: 'a', version: 1 });
      await first.return?.();
    });

    test('an abort ends it quietly, before, while it waits and between two envelopes', async () => {
      const log = await fresh();
      await history(log, 'a', 2);
      expect(await all(log.follow('a', { signal: AbortSignal.abort() }))).toEqual([]);
      const waiting = new AbortController();
      const followed = all(log.follow('a', { from: 3, signal: waiting.signal }));
      waiting.abort();
      expect(await followed).toEqual([]);
      const between = new AbortController();
      const seen: number[] = [];
      for await (const { version } of log.follow('a', { signal: between.signal })) {
        seen.push(version);
        between.abort();
      }
      expect(seen).toEqual([1]);
    });

    test('a slow follower misses nothing of a fast writer', async () => {
      const log = await fresh();
      const { epoch } = await take(log, 'a');
      const followed = all(log.follow('a', { signal: new AbortController().signal }));
      for (let version = 0; version < 50; version += 1) {
        const closes = version === 49 ? { closes: 'success' } : {};
        await appended(log.append({ run: 'a', events: [fact()], expectedVersion: version, epoch, ...closes }));
      }
      expect((await followed).map(({ version }) => version)).toEqual(upTo(50));
    });

    test('a fork is followed through its prefix', async () => {
      const log = await fresh();
      await history(log, 'a', 4);
      await log.fork({ from: 'a', at: 3, to: 'b' });
      const { epoch } = await take(log, 'b');
      const followed = all(log.follow('b', { from: 2, signal: new AbortController().signal }));
      await appended(log.append({ run: 'b', events: [fact()], expectedVersion: 3, epoch, closes: 'success' }));
      expect((await followed).map((envelope) => envelope.run + envelope.version)).toEqual(['a2', 'a3', 'b4']);
    });

    test('closing the log ends it', async () => {
      const log = await fresh();
      const followed = all(log.follow('a', { signal: new AbortController().signal }));
      await log.close();
      expect(await followed).toEqual([]);
    });
  });

  describe('fork', () => {
    test('forked: the prefix is shared with its own run ids and hashes, and both go their ways', async () => {
      const log = await fresh();
      const { epoch } = await history(log, 'a', 4);
      now += 1_000;
      const forked = await log.fork({ from: 'a', at: 2, to: 'b' });
      const prefix = await all(log.read('a', { to: 2 }));
      const forkedFrom = { run: 'a', version: 2 };
      const createdAt = new Date(now).toISOString();
      expect(forked).toEqual({
        kind: 'forked',
        run: {
          run: 'b',
          root: 'b',
          parentEffect: null,
          forkedFrom,
          version: 2,
          hash: prefix[1]?.hash,
          createdAt,
          updatedAt: createdAt,
          closed: null,
        },
      });
      const { epoch: ofFork } = await take(log, 'b');
      const own = await appended(log.append({ run: 'b', events: [fact()], expectedVersion: 2, epoch: ofFork }));
      expect(own[0]).toMatchObject({ run: 'b', version: 3 });
      expect(await all(log.read('b'))).toEqual([...prefix, ...own]);
      expect(await all(log.read('b', { from: 2, to: 2 }))).toEqual(prefix.slice(1));
      await appended(log.append({ run: 'a', events: [fact()], expectedVersion: 4, epoch }));
      expect(await all(log.read('b'))).toHaveLength(3);
      expect(await log.verify('b')).toEqual({ kind: 'intact', version: 3, hash: own[0]?.hash });
    });

    test('a fork of a fork, inside and behind its prefix; an ending is not shared', async () => {
      const log = await fresh();
      const { epoch } = await history(log, 'a', 3);
      await appended(log.append({ run: 'a', events: [fact()], expectedVersion: 3, epoch, closes: 'cap_hit' }));
      await log.fork({ from: 'a', at: 3, to: 'b' });
      const { epoch: ofFork } = await take(log, 'b');
      await appended(log.append({ run: 'b', events: [fact()], expectedVersion: 3, epoch: ofFork }));
      await log.fork({ from: 'b', at: 4, to: 'c' });
      await log.fork({ from: 'b', at: 1, to: 'd' });
      const owners = async (run: string) => (await all(log.read(run))).map((envelope) => envelope.run).join('');
      expect([await owners('b'), await owners('c'), await owners('d')]).toEqual(['aaab', 'aaab', 'a']);
      expect(await log.run('d')).toMatchObject({ forkedFrom: { run: 'b', version: 1 }, version: 1, closed: null });
      expect(await log.verify('c')).toMatchObject({ kind: 'intact', version: 4 });
    });

    test('unknown_run, exists and no_such_version open nothing', async () => {
      const log = await fresh();
      await history(log, 'a', 2);
      expect(await log.fork({ from: 'x', at: 1, to: 'b' })).toEqual({ kind: 'unknown_run' });
      expect(await log.fork({ from: 'a', at: 1, to: 'a' })).toEqual({ kind: 'exists' });
      for (const at of [3, 0, -1, 1.5]) {
        expect(await log.fork({ from: 'a', at, to: 'b' })).toEqual({ kind: 'no_such_version', head: 2 });
      }
      expect(await log.runs()).toHaveLength(1);
    });
  });

  describe('runs', () => {
    test('a record says where a run stands, and runs come oldest first', async () => {
      const log = await fresh();
      const { epoch } = await history(log, 'b', 1);
      await history(log, 'a', 1);
      const later = '2026-03-01T12:34:56.789Z';
      const events = [fact({}, { at: later })];
      const [last] = await appended(log.append({ run: 'b', events, expectedVersion: 1, epoch, closes: 'budget' }));
      const record = {
        run: 'b',
        root: 'b',
        parentEffect: null,
        forkedFrom: null,
        version: 2,
        hash: last?.hash,
        createdAt: AT,
        updatedAt: later,
        closed: 'budget',
      };
      expect(await log.run('b')).toEqual(record);
      expect(await log.runs()).toEqual([record, await log.run('a')]);
      expect(await log.run('c')).toBeNull();
      expect(await log.findByParentEffect('b/1/0')).toBeNull();
    });
  });

  describe('leases', () => {
    test('leased, then held for everybody else until it expires; each taking raises the epoch', async () => {
      const log = await fresh();
      const [one, two] = [elsewhere('1'), elsewhere('2')];
      expect(await log.acquire('a', one)).toEqual({ kind: 'leased', lease: { root: 'a', epoch: 1, holder: one } });
      const expiresAt = new Date(NOON_MS + LEASE_TTL_MS).toISOString();
      expect(await log.acquire('a', two)).toEqual({ kind: 'held', by: one, expiresAt });
      now += LEASE_TTL_MS - 1;
      expect(await log.acquire('a', two)).toEqual({ kind: 'held', by: one, expiresAt });
      expect(await log.holder('a')).toEqual(one);
      now += 1;
      expect(await log.holder('a')).toBeNull();
      expect(await log.acquire('a', two)).toEqual({ kind: 'leased', lease: { root: 'a', epoch: 2, holder: two } });
      expect(await log.acquire('b', one)).toMatchObject({ kind: 'leased', lease: { epoch: 1 } });
    });

    test('asking again with the same token renews and keeps the epoch', async () => {
      const log = await fresh();
      await take(log, 'a', elsewhere('1'));
      now += LEASE_TTL_MS - 1;
      expect(await take(log, 'a', elsewhere('1'))).toMatchObject({ epoch: 1 });
      now += LEASE_TTL_MS - 1;
      expect(await log.holder('a')).toEqual(elsewhere('1'));
    });

    test('a process keeps its leases apart, and a holder on this host that is gone is succeeded at once', async () => {
      const log = await fresh();
      const living = thisProcess();
      const reused = { ...living, processStart: 'before', token: 'gone' };
      await take(log, 'a', reused);
      expect(await log.holder('a')).toBeNull();
      expect(await take(log, 'a', living)).toMatchObject({ epoch: 2 });
      expect(await log.acquire('a', thisProcess())).toMatchObject({ kind: 'held', by: living });
      expect(await log.holder('a')).toEqual(living);
    });

    test('renewed moves the expiry; lost names the newest epoch', async () => {
      const log = await fresh();
      const lease = await take(log, 'a', elsewhere('1'));
      now += LEASE_TTL_MS - 1;
      expect(await log.renew(lease)).toEqual({ kind: 'renewed' });
      now += LEASE_TTL_MS - 1;
      expect(await log.acquire('a', elsewhere('2'))).toMatchObject({ kind: 'held' });
      now += 1;
      expect(await log.renew(lease)).toEqual({ kind: 'renewed' });
      now += LEASE_TTL_MS;
      await take(log, 'a', elsewhere('2'));
      expect(await log.renew(lease)).toEqual({ kind: 'lost', epoch: 2 });
      expect(await log.release(lease)).toEqual({ kind: 'lost', epoch: 2 });
      expect(await log.renew({ ...lease, root: 'b' })).toEqual({ kind: 'lost', epoch: 0 });
    });

    test('released: the tree is free at once, and the next epoch is a new one', async () => {
      const log = await fresh();
      const lease = await take(log, 'a');
      expect(await log.release(lease)).toEqual({ kind: 'released' });
      expect(await log.holder('a')).toBeNull();
      expect(await log.release(lease)).toEqual({ kind: 'lost', epoch: 1 });
      expect(await log.renew(lease)).toEqual({ kind: 'lost', epoch: 1 });
      expect(await take(log, 'a')).toMatchObject({ epoch: 2 });
    });
  });

  describe('inbox', () => {
    const abort = { type: 'abort.requested', payload: { reason: 'enough' } };

    test('entries wait at the root of the tree, oldest first, until delivered or rejected', async () => {
      const log = await fresh();
      const { epoch } = await history(log, 'a', 1);
      await appended(log.append({ run: 'b', events: [fact()], expectedVersion: 0, epoch, parentEffect: 'a/1/0' }));
      const toChild = await log.post('b', abort);
      const toRoot = await log.post('a', { type: 'steer.requested', payload: 'left' });
      const elsewhereInTheStore = await log.post('c', abort);
      expect(toChild).toEqual({ id: toChild.id, run: 'b', ...abort, at: AT, status: { kind: 'waiting' } });
      expect(await log.inbox('a')).toEqual([toChild, toRoot]);
      expect(await log.inbox('b')).toEqual([]);
      expect(await log.inbox('c')).toEqual([elsewhereInTheStore]);

      const delivers = [toChild.id, elsewhereInTheStore.id];
      const append = { run: 'b', events: [fact(), fact()], expectedVersion: 1, epoch, delivers };
      expect(await log.append({ ...append, expectedVersion: 7 })).toMatchObject({ kind: 'conflict' });
      expect(await log.inbox('a')).toEqual([toChild, toRoot]);
      await appended(log.append(append));
      expect(await log.inbox('a')).toEqual([toRoot]);
      expect(await log.entry(toChild.id)).toEqual({ ...toChild, status: { kind: 'delivered', version: 2 } });
      expect(await log.entry(elsewhereInTheStore.id)).toEqual(elsewhereInTheStore);

      await log.reject(toRoot.id, 'unexpected');
      expect(await log.inbox('a')).toEqual([]);
      expect(await log.entry(toRoot.id)).toMatchObject({ status: { kind: 'rejected', reason: 'unexpected' } });
      expect(await log.entry(toRoot.id + 100)).toBeNull();
    });

    test('an entry is settled once: what came first stands', async () => {
      const log = await fresh();
      const { epoch } = await history(log, 'a', 1);
      const [one, two] = [await log.post('a', abort), await log.post('a', abort)];
      const delivers = [one.id, two.id];
      await log.reject(one.id, 'first');
      await appended(log.append({ run: 'a', events: [fact()], expectedVersion: 1, epoch, delivers }));
      await log.reject(two.id, 'late');
      expect(await log.entry(one.id)).toMatchObject({ status: { kind: 'rejected', reason: 'first' } });
      expect(await log.entry(two.id)).toMatchObject({ status: { kind: 'delivered', version: 2 } });
    });

    test('inbox_waiting: a lease is not given back before the inbox is empty', async () => {
      const log = await fresh();
      const lease = await history(log, 'a', 1);
      const entry = await log.post('a', abort);
      expect(await log.release(lease)).toEqual({ kind: 'inbox_waiting', entries: 1 });
      expect(await log.renew(lease)).toEqual({ kind: 'renewed' });
      await log.reject(entry.id, 'no');
      expect(await log.release(lease)).toEqual({ kind: 'released' });
    });

    test('a command that is not JSON is a bug of who posts it', async () => {
      const log = await fresh();
      const payload = { when: undefined } as unknown as Json;
      await expect(log.post('a', { type: 'steer.requested', payload })).rejects.toThrow('undefined at $.when');
      expect(await log.inbox('a')).toEqual([]);
    });
  });

  describe('snapshots', () => {
    test('the newest at or below a version, as long as its hash is the log\'s', async () => {
      const log = await fresh();
      await history(log, 'a', 6);
      const hashes = (await all(log.read('a'))).map(({ hash }) => hash);
      const snapshot = (version: number, hash = hashes[version - 1] ?? '') => ({
        run: 'a',
        version,
        hash,
        machine: 'turn@1',
        state: { version, nested: [null] },
      });
      expect(await log.latestSnapshot('a')).toBeNull();
      for (const saved of [snapshot(4), snapshot(2), snapshot(5, 'ff'.repeat(32)), snapshot(9, hashes[0])]) {
        await log.saveSnapshot(saved);
      }
      expect(await log.latestSnapshot('a')).toEqual(snapshot(4));
      expect(await log.latestSnapshot('a', 4)).toEqual(snapshot(4));
      expect(await log.latestSnapshot('a', 3)).toEqual(snapshot(2));
      expect(await log.latestSnapshot('a', 1)).toBeNull();
      expect(await log.latestSnapshot('b')).toBeNull();
      await log.saveSnapshot({ ...snapshot(4), machine: 'turn@2' });
      expect(await log.latestSnapshot('a')).toMatchObject({ version: 4, machine: 'turn@2' });
    });

    test('a fork uses the snapshots of the prefix it shares, and no later ones', async () => {
      const log = await fresh();
      await history(log, 'a', 4);
      await log.fork({ from: 'a', at: 3, to: 'b' });
      const hashes = (await all(log.read('a'))).map(({ hash }) => hash);
      for (const version of [2, 4]) {
        const hash = hashes[version - 1] ?? '';
        await log.saveSnapshot({ run: 'a', version, hash, machine: 'turn@1', state: version });
      }
      expect(await log.latestSnapshot('b')).toMatchObject({ run: 'a', version: 2, state: 2 });
      expect(await log.latestSnapshot('b', 1)).toBeNull();
    });
  });

  describe('verify', () => {
    test('intact with the head, or unknown_run', async () => {
      const log = await fresh();
      await history(log, 'a', 3);
      const head = await log.run('a');
      expect(await log.verify('a')).toEqual({ kind: 'intact', version: 3, hash: head?.hash });
      expect(await log.verify('b')).toEqual({ kind: 'unknown_run' });
    });
  });

  test('close: whatever is asked afterwards says that the log is closed', async () => {
    const log = await fresh();
    await log.close();
    await log.close();
    const unavailable = { name: 'LogError', kind: 'unavailable' };
    await expect(log.run('a')).rejects.toMatchObject(unavailable);
    const append = log.append({ run: 'a', events: [fact()], expectedVersion: 0, epoch: 1 });
    await expect(append).rejects.toMatchObject(unavailable);
    await expect(all(log.read('a'))).rejects.toMatchObject(unavailable);
  });
}
