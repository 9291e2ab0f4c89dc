import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scriptedModel } from '../../../src/actors/model/scripted-model.ts';
import { Loops } from '../../../src/hosts/local/loops.ts';
import { StateFileHeldError } from '../../../src/hosts/local/state-file-holder.ts';
import { memoryLog } from '../../../src/log/memory/engine.ts';
import { repository } from '../../actors/workspace/repository.ts';

const never = scriptedModel({ answers: [{ text: 'never', delayMs: 3_600_000 }] });

test('R4 a run holds its state file before it is written, also against a run in another worktree', async () => {
  // Given two isolated loops of one folder, neither of which gets its lease before the other asks for one or is refused
  const { root, commit } = await repository({ 'a.txt': 'a' });
  await commit();
  const second = Promise.withResolvers<void>();
  const inner = memoryLog();
  let asked = 0;
  const acquire: typeof inner.acquire = async (...of) => {
    asked += 1;
    if (asked > 1) second.resolve();
    await second.promise;
    return inner.acquire(...of);
  };
  const loops = new Loops({ log: { ...inner, acquire }, model: never });
  const options = { prompt: 'Do it.', labels: ['ralph-wiggum'], directory: root, isolate: 'worktree' as const };
  const start = () => loops.start(options).finally(() => second.resolve());

  // When both start
  const both = await Promise.allSettled([start(), start()]);

  // Then one of them has begun, and the other was refused with the name of that one, and what can be done
  const live = both.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const refused = both.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  expect(live.map(({ run }) => run)).toHaveLength(1);
  expect(refused[0]).toBeInstanceOf(StateFileHeldError);
  expect(refused[0]).toMatchObject({ run: live[0]?.run, path: join(root, '.claude/ralph-loop.local.md') });
  expect(refused[0]).toMatchObject({ message: expect.stringMatching(/another folder \(-C\).*--strategy ralph/) });
  // And a loop that keeps no state file works beside it
  const { labels: _, ...other } = options;
  const beside = await loops.start({ ...other, strategy: 'ralph' });
  for (const one of [...live, beside]) await one.abort().then(() => one.done);
});
