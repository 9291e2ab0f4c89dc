import { BLOB_THRESHOLD_BYTES, type RunRecord } from '../../log/event-store.ts';
import type { Log } from '../../log/log.ts';
import { memoryLog } from '../../log/sqlite/engine.ts';
import { type Contract, storeClock, all, appended, decided, fact, history, take } from './contract.ts';

/** Runs with all that a copy has to keep: a fork, a child, marks, a large payload, an ending. */
async function written(log: Log): Promise<readonly RunRecord[]> {
  const { epoch } = await history(log, 'a', 3);
  const events = [fact('x'.repeat(BLOB_THRESHOLD_BYTES), { mark: 'tools.running/3' }), fact(null)];
  await appended(log.append({ run: 'a', events, expectedVersion: 3, epoch }));
  await appended(log.append({ run: 'child', events: [fact()], expectedVersion: 0, epoch, parentEffect: 'a/1/0' }));
  await appended(log.append({ run: 'a', events: [decided('abort')], expectedVersion: 5, epoch, closes: 'abort' }));
  await log.fork({ from: 'a', at: 4, to: 'b' });
  await log.fork({ from: 'a', at: 2, to: 'c' });
  const own = await take(log, 'b');
  await appended(log.append({ run: 'b', events: [fact()], expectedVersion: 4, epoch: own.epoch }));
  return log.runs();
}

const ownEvents = (log: Log, { run, forkedFrom }: RunRecord) =>
  all(log.read(run, { from: (forkedFrom?.version ?? 0) + 1, salts: true }));

export function copies({ fresh, expect, onTestFinished, test }: Contract): void {
  const another = async () => {
    const log = memoryLog({ now: storeClock().now });
    onTestFinished(() => log.close());
    return log;
  };

  test('H2 runs are taken over with their hashes, marks, forks and endings, and can be continued', async () => {
    const from = await another();
    const to = await fresh();
    const runs = await written(from);
    for (const run of runs) expect(await to.adopt(run, await ownEvents(from, run))).toEqual({ kind: 'adopted' });
    expect(await to.runs()).toEqual(runs);
    for (const { run, version, hash } of runs) {
      const placeless = async (log: Log) =>
        (await all(log.read(run, { salts: true }))).map(({ position: _, ...envelope }) => envelope);
      expect(await placeless(to)).toEqual(await placeless(from));
      expect(await to.verifyTree(run)).toEqual({ kind: 'intact', version, hash });
    }
    expect(await to.audit()).toEqual([]);
    const { epoch } = await take(to, 'b');
    await appended(to.append({ run: 'b', events: [fact()], expectedVersion: 5, epoch }));
    expect(await to.verify('b')).toMatchObject({ kind: 'intact', version: 6 });
  });

  test('H2 a run is taken over in parts, and what does not follow from what is there is refused', async () => {
    const from = await another();
    const to = await fresh();
    await history(from, 'a', 4);
    const run = (await from.runs())[0];
    if (!run) throw new Error('the run is there');
    const events = await ownEvents(from, run);
    const open = { ...run, closed: null };
    expect(await to.adopt(open, events.slice(0, 2))).toEqual({ kind: 'adopted' });
    expect(await to.adopt(open, events.slice(3))).toMatchObject({ kind: 'refused' });
    expect(await to.adopt(open, events.slice(0, 1))).toMatchObject({ kind: 'refused' });
    expect(await to.adopt(open, events.slice(2))).toEqual({ kind: 'adopted' });
    expect(await to.run('a')).toEqual(run);
  });

  test('H2 a run is refused where it was edited, and where what it belongs to is not there', async () => {
    const from = await another();
    const to = await fresh();
    const runs = await written(from);
    for (const run of runs.filter(({ run: name }) => name !== 'a'))
      expect(await to.adopt(run, await ownEvents(from, run))).toMatchObject({ kind: 'refused' });
    const [a] = runs;
    const edited = (await ownEvents(from, a as RunRecord)).map((one) => ({ ...one, payload: 'edited' }));
    expect(await to.adopt(a as RunRecord, edited)).toMatchObject({ kind: 'refused' });
    expect(await to.runs()).toEqual([]);
  });
}
