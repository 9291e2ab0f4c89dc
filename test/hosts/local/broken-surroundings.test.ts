import { rm, writeFile } from 'node:fs/promises';
import { lastValueFrom } from 'rxjs';
import { expect, test } from 'vitest';
import { LogError } from '../../../src/log/log.ts';
import { memoryLog } from '../../../src/log/sqlite/engine.ts';
import { repository } from '../../git/repository.ts';
import { aroundAppend } from '../../support/around-append.ts';
import { testInTurn } from '../../support/in-turn.ts';
import { stopped, tool } from '../../support/stand-ins.ts';
import { office } from './office.ts';

const full = new LogError('unavailable', 'sqlite:log.db', 'the disk is full', 'Free some space, then resume.');

test.each(['turn', 'iteration'] as const)(
  'a log that can no longer be written ends a %s here, with the error, and stops what runs',
  async (loop) => {
    let isFull = false;
    const log = aroundAppend(memoryLog(), async (request, append) => {
      if (isFull) throw full;
      return append(request);
    });
    const [begun, told] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const slow = tool('slow', async (_input, context) => {
      begun.resolve();
      await stopped(context);
      told.resolve();
      return { output: '' };
    });
    // A call that is stopped before it began is never made.
    const quick = tool('quick', async () => (await begun.promise, (isFull = true), { output: '' }));
    const script = { answers: [{ calls: [{ tool: 'slow' }, { tool: 'quick' }] }] };
    const { root } = await repository({ 'a.txt': '1' });
    const live = await office(script, { log, tools: [slow, quick] }).start({ loop, directory: root });
    const watched = lastValueFrom(live.waiting);
    await expect(live.done).rejects.toBe(full);
    await told.promise;
    expect(await watched).toBe(false);
    isFull = false;
    expect(await log.holder(live.run)).toBeNull();
  },
);

test('a workspace that disappears in the middle of a loop ends it with what is missing', async () => {
  const { root } = await repository({ 'a.txt': '1' });
  const vanish = tool('vanish', async () => (await rm(root, { recursive: true }), { output: 'gone' }));
  const harness = office({ answers: [{ calls: [{ tool: 'vanish' }] }, { text: 'done' }] }, { tools: [vanish] });
  const live = await harness.start({ loop: 'iteration', directory: root, checks: ['true'] });
  const end = await live.done;
  expect(end).toMatchObject({
    kind: 'ended',
    outcome: { ending: 'abort', cause: 'error', fault: { message: expect.stringContaining(root) } },
  });
});

testInTurn('a workspace that is replaced by a file is no place to resume in', async () => {
  const { root } = await repository({ 'a.txt': '1' });
  const slow = tool('slow', async (_input, context) => (context.delta('slow'), await stopped(context), { output: '' }));
  const harness = office({ answers: [{ calls: [{ tool: 'slow' }] }, { text: 'done' }] }, { tools: [slow] });
  const live = await harness.start({ directory: root });
  await live.pause('user');
  await live.done;
  await rm(root, { recursive: true });
  await writeFile(root, 'a file');
  await expect(harness.loops().resume(live.run)).rejects.toThrow(`${root} is not a directory`);
  await rm(root);
});
