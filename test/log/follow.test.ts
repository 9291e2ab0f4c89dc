import { expect, test } from 'vitest';
import type { Envelope } from '../../src/log/envelope.ts';
import { follow } from '../../src/log/follow.ts';
import { Watch } from '../../src/log/watch.ts';
import { all, fact } from '../../src/testing/log-contract/contract.ts';

const at = (version: number): Envelope => ({ ...fact(), run: 'a', version, position: version, epoch: 1, hash: '' });

test('what another process appends and closes between the last page and the next look is not lost', async () => {
  const watch = new Watch();
  const events = [at(1)];
  let isOver = false;
  const page = (_run: string, from: number) => {
    const found = events.slice(from - 1);
    if (found.length === 0 && !isOver) {
      events.push(at(2));
      isOver = true;
      watch.changed('a');
    }
    return found;
  };
  const followed = follow({ watch, page, isOver: () => isOver }, 'a', 1, AbortSignal.timeout(120_000));
  expect((await all(followed)).map(({ version }) => version)).toEqual([1, 2]);
});

test('a watcher wakes for its own run and for changes of any, and remembers one that came early', async () => {
  const watch = new Watch();
  const watcher = watch.open('a');
  const { signal } = new AbortController();
  let woken = 0;
  const wait = () => watcher.next(signal).then(() => (woken += 1));
  const first = wait();
  watch.changed('b');
  await new Promise(setImmediate);
  expect(woken).toBe(0);
  watch.changed('a');
  await first;
  watch.changed();
  await wait();
  expect(woken).toBe(2);
  watcher.close();
});
