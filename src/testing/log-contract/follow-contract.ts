import { all, appended, decided, fact, history, take, upTo, type Contract } from './contract.ts';

export function following(contract: Contract): void {
  followingOn(contract);
  endingFollowers(contract);
}

/** Followers get every envelope that is there and that comes, through the prefix of a fork too. */
function followingOn({ fresh, expect, test }: Contract): void {
  test('gives what is there and what comes, from a version on, and ends with the run', async () => {
    const log = await fresh();
    const { epoch } = await history(log, 'a', 3);
    const { signal } = new AbortController();
    const followed = all(log.follow('a', { from: 2, signal }));
    await appended(log.append({ run: 'a', events: [fact(), fact()], expectedVersion: 3, epoch }));
    await history(log, 'b', 1);
    await appended(log.append({ run: 'a', events: [decided('abort')], expectedVersion: 5, epoch, closes: 'abort' }));
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

  test('a slow follower misses nothing of a fast writer', async () => {
    const log = await fresh();
    const { epoch } = await take(log, 'a');
    const followed = all(log.follow('a', { signal: new AbortController().signal }));
    for (let version = 0; version < 50; version += 1) {
      const end = version === 49 ? { events: [decided('success')], closes: 'success' } : { events: [fact()] };
      await appended(log.append({ run: 'a', expectedVersion: version, epoch, ...end }));
    }
    expect((await followed).map(({ version }) => version)).toEqual(upTo(50));
  });

  test('a fork is followed through its prefix', async () => {
    const log = await fresh();
    await history(log, 'a', 4);
    await log.fork({ from: 'a', at: 3, to: 'b' });
    const { epoch } = await take(log, 'b');
    const followed = all(log.follow('b', { from: 2, signal: new AbortController().signal }));
    await appended(
      log.append({ run: 'b', events: [decided('success')], expectedVersion: 3, epoch, closes: 'success' }),
    );
    expect((await followed).map((envelope) => envelope.run + envelope.version)).toEqual(['a2', 'a3', 'b4']);
  });
}

/** Ends of following without an error: by an abort, and by the close of the log. */
function endingFollowers({ fresh, expect, test }: Contract): void {
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

  test('closing the log ends it', async () => {
    const log = await fresh();
    const followed = all(log.follow('a', { signal: new AbortController().signal }));
    await log.close();
    expect(await followed).toEqual([]);
  });
}
