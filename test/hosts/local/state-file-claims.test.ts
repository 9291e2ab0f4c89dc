import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scriptedModel } from '../../../src/actors/model/model-script.ts';
import { Loops } from '../../../src/hosts/local/local-host.ts';
import { StateFileHeldError } from '../../../src/app/start/state-file-holder.ts';
import { memoryLog } from '../../../src/log/sqlite/engine.ts';
import { repository } from '../../git/repository.ts';
import { testInTurn } from '../../support/in-turn.ts';
import { factsOf, resumed } from './office.ts';

const never = scriptedModel({ answers: [{ text: 'never', delayMs: 3_600_000 }] });

testInTurn('R4 a run holds its state file before it is written, also against a run in another worktree', async () => {
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
  // And it is told which process works on that one, and that it can wait
  expect(refused[0]).toMatchObject({ process: { pid: process.pid } });
  expect(refused[0].message).toMatch(
    /: process \d+ on .* works on it\. Wait until it has ended, or abort it\. A folder/,
  );
  expect(refused[0]).toMatchObject({ message: expect.stringMatching(/another folder \(-C\).*--strategy ralph/) });
  // And a loop that keeps no state file works beside it
  const { labels: _, ...other } = options;
  const beside = await loops.start({ ...other, strategy: 'ralph' });
  for (const one of [...live, beside]) await one.abort().then(() => one.done);
});

const FILE = '.claude/ralph-loop.local.md';

testInTurn(
  'R4 a resumed run that has never written the file leaves the one of a run that began meanwhile',
  async () => {
    // Given a run that a damaged file has paused at once, and another one that has begun after the file was removed
    const { root, commit } = await repository({ 'a.txt': 'a' });
    await commit();
    const path = join(root, FILE);
    await mkdir(join(root, '.claude'));
    await writeFile(path, 'broken\n');
    const loops = new Loops({ log: memoryLog(), model: never });
    const options = { prompt: 'Do it.', labels: ['ralph-wiggum'], directory: root, tools: ['read'] };
    const first = await loops.start(options);
    await first.done;
    await rm(path);
    const wasWritten = Promise.withResolvers<void>();
    const second = await loops.start(options, (facts) =>
      facts.subscribe(({ type }) => type === 'state_file.written' && wasWritten.resolve()),
    );
    await wasWritten.promise;
    await second.pause('user');
    await second.done;
    // When the first one is resumed
    const end = await (await resumed(loops, first.run)).done;
    // Then it is paused again, and the file is that of the second
    expect(end).toEqual({ kind: 'paused' });
    expect(await readFile(path, 'utf8')).toContain(`session_id: ${JSON.stringify(second.run)}`);
  },
);

test('R4 a file whose writing was not recorded is closed with its run', async () => {
  // Given a process that ends between the first writing and its event
  const { root, commit } = await repository({ 'a.txt': 'a' });
  await commit();
  const inner = memoryLog();
  let isFailing = true;
  const append: typeof inner.append = async (batch) => {
    if (isFailing && batch.events.some(({ type }) => type === 'state_file.written')) throw new Error('power cut');
    return inner.append(batch);
  };
  const loops = new Loops({ log: { ...inner, append }, model: never });
  const live = await loops.start({ prompt: 'Do it.', labels: ['ralph-wiggum'], directory: root, tools: ['read'] });
  await expect(live.done).rejects.toThrow('power cut');
  expect(await readFile(join(root, FILE), 'utf8')).toContain('active: true');
  // When the run is aborted
  isFailing = false;
  await loops.abort(live.run);
  // Then the file says so, and so does the log
  expect(await readFile(join(root, FILE), 'utf8')).toContain('active: false');
  const [closed] = await factsOf(inner, live.run, 'state_file.closed');
  expect(closed?.payload.digest).not.toBeNull();
});
