import { appended, AT, decided, fact, history, type Contract } from './contract.ts';

export function runs(contract: Contract): void {
  recordingRuns(contract);
  listingTrees(contract);
}

/** The record of a run, and the records of its tree. */
function recordingRuns({ fresh, expect, test }: Contract): void {
  test('a record says where a run stands, and runs come oldest first', async () => {
    const log = await fresh();
    const { epoch } = await history(log, 'b', 1);
    await history(log, 'a', 1);
    const later = '2026-03-01T12:34:56.789Z';
    const events = [decided('budget', { at: later })];
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

  test('a tree is the run at its top and all below it, oldest first', async () => {
    const log = await fresh();
    const { epoch } = await history(log, 'a', 2);
    await history(log, 'other', 1);
    const opened = (run: string, parentEffect: string) =>
      appended(log.append({ run, events: [fact()], expectedVersion: 0, epoch, parentEffect }));
    await opened('z', 'a/1/0');
    await opened('c', 'z/1/0');
    await opened('b', 'a/2/0');
    const records = await Promise.all(['a', 'z', 'c', 'b'].map((run) => log.run(run)));
    expect(await log.tree('a')).toEqual(records);
    expect((await log.tree('other')).map(({ run }) => run)).toEqual(['other']);
    expect(await log.tree('z')).toEqual([]);
    expect(await log.tree('nothing')).toEqual([]);
  });
}

/** Lists of trees: those that have changed since a position, and the newest. */
function listingTrees({ fresh, expect, test }: Contract): void {
  test('the trees that have changed since a position, children counted to their trees', async () => {
    const log = await fresh();
    expect(await log.changes(null)).toEqual({ position: 0, trees: [] });
    const a = await history(log, 'a', 2);
    await history(log, 'b', 1);
    const { position } = await log.changes(null);
    expect(await log.changes(position)).toEqual({ position, trees: [] });
    const more = { events: [fact()], expectedVersion: 0, epoch: a.epoch };
    const [last] = await appended(log.append({ ...more, run: 'c', parentEffect: 'a/1/0' }));
    expect(await log.changes(position)).toEqual({ position: last?.position, trees: ['a'] });
    expect((await log.changes(0)).trees.toSorted()).toEqual(['a', 'b']);
  });

  test('the newest trees come newest first, and how many more there are', async () => {
    const log = await fresh();
    expect(await log.newest(2)).toEqual({ runs: [], more: 0 });
    const { epoch } = await history(log, 'b', 1);
    await history(log, 'a', 1);
    await history(log, 'c', 1);
    await appended(log.append({ run: 'd', events: [fact()], expectedVersion: 0, epoch, parentEffect: 'b/1/0' }));
    expect(await log.newest(2)).toEqual({ runs: [await log.run('c'), await log.run('a')], more: 1 });
    expect((await log.newest(9)).runs.map(({ run }) => run)).toEqual(['c', 'a', 'b']);
    expect((await log.newest(0)).more).toBe(3);
    expect(await log.newest(1, 'c')).toEqual({ runs: [await log.run('a')], more: 1 });
    expect(await log.newest(9, 'b')).toEqual({ runs: [], more: 0 });
    expect(await log.newest(9, 'nowhere')).toEqual({ runs: [], more: 0 });
  });
}
