import { all, appended, fact, history, verifiedPages, type Contract } from './contract.ts';

export function verifying(contract: Contract): void {
  verifyingRuns(contract);
  verifyingTrees(contract);
}

/** One run: verified as a whole, or while it is read. */
function verifyingRuns({ fresh, expect, test }: Contract): void {
  test('intact with the head, or unknown_run', async () => {
    const log = await fresh();
    await history(log, 'a', 3);
    const head = await log.run('a');
    expect(await log.verify('a')).toEqual({ kind: 'intact', version: 3, hash: head?.hash });
    expect(await log.verify('b')).toEqual({ kind: 'unknown_run' });
  });

  test('a run is verified while it is read: its events, and then what verifying it finds', async () => {
    const log = await fresh();
    await history(log, 'a', 600);
    await log.fork({ from: 'a', at: 300, to: 'b' });
    for (const run of ['a', 'b', 'c']) {
      const { pages, verified } = await verifiedPages(log, run);
      expect(pages.flat()).toEqual((await all(log.pages(run))).flat());
      expect(verified).toEqual(await log.verify(run));
    }
    expect((await verifiedPages(log, 'c')).verified).toEqual({ kind: 'unknown_run' });
  });
}

/** The runs of a tree: each is where its parent, and its own first event, say. */
function verifyingTrees({ fresh, expect, test }: Contract): void {
  test('a tree is intact when all of its runs are, and a child that has settled belongs to it', async () => {
    const log = await fresh();
    const { epoch } = await history(log, 'a', 1);
    const child = { run: 'b', events: [fact()], expectedVersion: 0, epoch, parentEffect: 'a/1/0' };
    await appended(log.append(child));
    const settled = (name: string) => [fact({ child: name }, { type: 'child.settled' })];
    await appended(log.append({ run: 'a', events: settled('b'), expectedVersion: 1, epoch }));
    expect(await log.verifyTree('a')).toMatchObject({ kind: 'intact', version: 2 });
    expect(await log.verifyTree('c')).toEqual({ kind: 'unknown_run' });
    await appended(log.append({ run: 'a', events: settled('z'), expectedVersion: 2, epoch }));
    const broken = { kind: 'broken', version: 3, reason: 'its child z is not in the log' };
    expect(await log.verifyTree('a')).toEqual({ ...broken, run: 'a' });
    expect(await log.verify('a')).toEqual(broken);
    expect(await log.verifyTree('b')).toMatchObject({ kind: 'intact', version: 1 });
  });

  test('a child that is not where it is said to be is found while its parent is read', async () => {
    const log = await fresh();
    const { epoch } = await history(log, 'a', 1);
    const settled = [fact({ child: 'z' }, { type: 'child.settled' }), fact()];
    await appended(log.append({ run: 'a', events: settled, expectedVersion: 1, epoch }));
    const { pages, verified } = await verifiedPages(log, 'a');
    expect(pages.flat()).toHaveLength(3);
    expect(verified).toEqual({ kind: 'broken', version: 2, reason: 'its child z is not in the log' });
  });

  test('a run is listed where its first event says', async () => {
    const log = await fresh();
    const { epoch } = await history(log, 'a', 1);
    const started = (effect: string) => [fact({ settings: { parent: { effect } } }, { type: 'run.started' })];
    await appended(
      log.append({ run: 'b', events: started('a/1/0'), expectedVersion: 0, epoch, parentEffect: 'a/1/0' }),
    );
    expect(await log.verify('b')).toMatchObject({ kind: 'intact' });
    await appended(
      log.append({ run: 'c', events: started('a/1/7'), expectedVersion: 0, epoch, parentEffect: 'a/1/1' }),
    );
    const reason = 'it was opened by a/1/7, and is listed as a/1/1';
    expect(await log.verifyTree('a')).toEqual({ kind: 'broken', run: 'c', version: 1, reason });
  });
}
