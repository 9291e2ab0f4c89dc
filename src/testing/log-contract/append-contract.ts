import { all, appended, AT, fact, history, take, elsewhere, type Contract, storeClock } from './contract.ts';
import { LEASE_TTL_MS } from '../../log/lease-store.ts';

/** Who may append, what an append writes, and what it leaves alone. */
export function appending(contract: Contract): void {
  fencing(contract);
  writing(contract);
  competing(contract);
}

/** The envelopes of an append: their order, their marks, and their payloads as they were at the call. */
function writing({ fresh, expect, test }: Contract): void {
  test('appended: versions are contiguous, positions rise, and the envelopes are what a reader gets', async () => {
    const log = await fresh();
    const { epoch } = await take(log, 'a');
    const first = await appended(log.append({ run: 'a', events: [fact(), fact()], expectedVersion: 0, epoch }));
    await history(log, 'b', 1);
    const causation = '2/1';
    const events = [fact({ z: [1, -0], a: { y: null } }, { causation, schema: 3 })];
    const second = await appended(log.append({ run: 'a', events, expectedVersion: 2, epoch }));
    expect([...first, ...second].map(({ version }) => version)).toEqual([1, 2, 3]);
    expect(second[0]).toMatchObject({ run: 'a', type: 'note.taken', schema: 3, at: AT, causation, epoch });
    expect(second[0]?.position).toBeGreaterThan(first[1]?.position ?? Infinity);
    expect(second[0]?.payload).toEqual({ z: [1, 0], a: { y: null } });
    expect(await all(log.read('a'))).toEqual([...first, ...second]);
  });

  test('a mark is read back as it was written, also from a fork; without one it is null', async () => {
    const log = await fresh();
    const { epoch } = await take(log, 'a');
    const events = [fact({}, { mark: 'tools.running/3' }), fact()];
    const written = await appended(log.append({ run: 'a', events, expectedVersion: 0, epoch }));
    await log.fork({ from: 'a', at: 1, to: 'b' });
    expect(written.map(({ mark }) => mark)).toEqual(['tools.running/3', null]);
    expect((await all(log.read('a'))).map(({ mark }) => mark)).toEqual(['tools.running/3', null]);
    expect((await all(log.read('b'))).map(({ mark }) => mark)).toEqual(['tools.running/3']);
    const told = log.follow('a', { signal: AbortSignal.timeout(120_000) });
    for await (const { version, mark } of told) {
      expect(mark).toBe(version === 1 ? 'tools.running/3' : null);
      if (version === 2) break;
    }
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
}

/** Appends that are made at once: the first for a version wins, and a refused one harms no other. */
function competing({ fresh, expect, test }: Contract): void {
  test('of two appends for one version the first wins', async () => {
    const log = await fresh();
    const { epoch } = await take(log, 'a');
    const append = () => log.append({ run: 'a', events: [fact()], expectedVersion: 0, epoch });
    const [first, second] = await Promise.all([append(), append()]);
    expect(first).toMatchObject({ kind: 'appended' });
    expect(second).toEqual({ kind: 'conflict', version: 1 });
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
}

/** Who may append: the holder of the lease of the tree, under its epoch. */
function fencing({ fresh, expect, test }: Contract): void {
  test('fenced: without a lease, with an older or newer epoch, and after giving the lease back', async () => {
    const clock = storeClock(AT);
    const log = await fresh(clock);
    const append = (epoch: number) => log.append({ run: 'a', events: [fact()], expectedVersion: 0, epoch });
    expect(await append(0)).toEqual({ kind: 'fenced', epoch: 0 });
    const stale = await take(log, 'a', elsewhere('1'));
    clock.advance(LEASE_TTL_MS);
    const lease = await take(log, 'a', elsewhere('2'));
    expect(await append(stale.epoch)).toEqual({ kind: 'fenced', epoch: lease.epoch });
    expect(await append(lease.epoch + 1)).toEqual({ kind: 'fenced', epoch: lease.epoch });
    await log.release(lease);
    expect(await append(lease.epoch)).toEqual({ kind: 'fenced', epoch: lease.epoch });
    expect(await log.run('a')).toBeNull();
  });

  test('an expired lease that no other holder took still writes', async () => {
    const clock = storeClock(AT);
    const log = await fresh(clock);
    const { epoch } = await take(log, 'a', elsewhere('1'));
    clock.advance(LEASE_TTL_MS + 1);
    await appended(log.append({ run: 'a', events: [fact()], expectedVersion: 0, epoch }));
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
    expect(await log.openedFrom('child')).toMatchObject([{ run: 'grandchild', ...root }]);
    for (const run of ['grandchild', 'chil', 'child0']) expect(await log.openedFrom(run)).toEqual([]);
    const own = await take(log, 'grandchild');
    const append = (by: number) => log.append({ run: 'grandchild', events: [fact()], expectedVersion: 1, epoch: by });
    expect(await append(own.epoch + 1)).toEqual({ kind: 'fenced', epoch });
    expect(await append(epoch)).toMatchObject({ kind: 'appended' });
  });
}
