import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { LogFeed } from '../../src/http/log-feed.ts';
import { memoryLog } from '../../src/log/sqlite/engine.ts';

test('W1 a follower of the feed that leaves keeps no other one busy', async () => {
  const log = memoryLog();
  let looks = 0;
  // Each look takes a moment, so that one after the other would be seen as many, and stop nothing else.
  const counted = {
    changes: async (since: number | null) => {
      looks += 1;
      await turn();
      return log.changes(since);
    },
  };
  const feed = new LogFeed(counted);
  const [stays, leaves] = [new AbortController(), new AbortController()];
  const staying = feed.follow(null, stays.signal);
  const leaving = feed.follow(null, leaves.signal);
  for (const one of [staying, leaving]) await one.next();
  const [next, last] = [staying.next(), leaving.next()];
  for (let turns = 0; turns < 10; turns += 1) await turn();

  leaves.abort();
  expect((await last).done).toBe(true);
  const before = looks;
  for (let turns = 0; turns < 100; turns += 1) await turn();
  expect(looks - before).toBeLessThanOrEqual(2);

  stays.abort();
  expect((await next).done).toBe(true);
});
