import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Loops } from '../../../src/hosts/local/local-host.ts';
import { memoryLog, openSqliteLog } from '../../../src/log/sqlite/engine.ts';
import type { Log } from '../../../src/log/log.ts';
import { repository, temporaryFolder } from '../../git/repository.ts';
import { approvingLoop, CALL } from '../../support/approving-loop.ts';
import { testInTurn } from '../../support/in-turn.ts';
import { ask, leftWaiting, office, request, untilWaiting } from './office.ts';

const asking = { answers: [{ calls: [ask('Tabs?')] }, { text: 'done' }] };
const engines = [
  ['memory', async () => memoryLog()],
  ['SQLite', async () => openSqliteLog(join(await temporaryFolder(), 'log.db'))],
] as const;

testInTurn.each(engines)('T9 the inbox has what open runs ask, the longest wait first (%s)', async (_, open) => {
  const log = await open();
  const first = await leftWaiting(office(asking, { log }));
  const answered = await leftWaiting(office(asking, { log }));
  const aborted = await leftWaiting(office(asking, { log }));
  const attempts = office({ attempts: [asking] }, { log });
  const loop = await leftWaiting(attempts, { loop: 'iteration', maxIterations: 1, directory: process.cwd() });
  const both = await leftWaiting(
    office({ answers: [{ calls: [ask('A?'), request('/etc')] }, { text: 'x' }] }, { log }),
  );
  const { loops } = attempts;
  await loops().answer(answered, { text: 'yes' });
  await loops().abort(aborted);
  const items = await loops().inbox();
  expect(items.map(({ kind, run }) => [kind, run])).toEqual([first, loop, both, both].map((run) => ['question', run]));
  expect(items).toMatchObject([
    { question: { run: first, text: 'Tabs?' } },
    { question: { callId: '0.0', run: expect.not.stringContaining(loop) } },
    { question: { text: 'A?' } },
    { question: { kind: 'access', path: '/etc' } },
  ]);
  for (const item of items) expect(item).toMatchObject({ since: item.kind === 'question' && item.question.askedAt });
  await log.close();
});

testInTurn('T9 the inbox names a run whose loop is not known here, and shows the others', async () => {
  const log = memoryLog();
  const { root, commit } = await repository({ 'a.txt': 'a' });
  await commit();
  const own = office({ attempts: [{ answers: [{ text: 'Done.' }] }] }, { loops: [approvingLoop], log });
  const unknown = await leftWaiting(own, {
    loop: 'approving',
    directory: root,
    checks: ['true'],
    checkIn: 'workspace',
  });
  const known = await leftWaiting(office(asking, { log }));
  expect(await own.loops().inbox()).toMatchObject([{ question: { callId: CALL, kind: 'approval' } }, { run: known }]);
  const items = await new Loops({ log }).inbox();
  expect(items).toMatchObject([
    { kind: 'unreadable', run: unknown, reason: expect.stringContaining('approving@1') },
    { kind: 'question', run: known },
  ]);
});

testInTurn('T9 the inbox names a run that a bug in its loop makes unreadable', async () => {
  const log = memoryLog();
  const { root, commit } = await repository({ 'a.txt': 'a' });
  await commit();
  const own = office({ attempts: [{ answers: [{ text: 'Done.' }] }] }, { loops: [approvingLoop], log });
  const run = await leftWaiting(own, { loop: 'approving', directory: root, checks: ['true'], checkIn: 'workspace' });
  const questions = () => {
    throw new Error('questions are broken');
  };
  const broken = { ...approvingLoop, describe: { ...approvingLoop.describe, questions } };
  expect(await new Loops({ log, loops: [broken] }).inbox()).toMatchObject([
    { kind: 'unreadable', run, reason: 'questions are broken' },
  ]);
});

test('T9 the inbox reads no run that has ended, and only those whole that ask', async () => {
  const log = memoryLog();
  const ended = await office({ answers: [{ text: 'done' }] }, { log }).start();
  await ended.done;
  const working = await office({ answers: [{ text: 'never', delayMs: 3_600_000 }] }, { log }).start();
  const waiting = await leftWaiting(office(asking, { log }));
  const wholly: string[] = [];
  const reads: string[] = [];
  const watched: Log = Object.assign(Object.create(log) as Log, {
    pages: (run: string, range?: { from?: number; to?: number }) => {
      reads.push(run);
      if (range?.from === undefined) wholly.push(run);
      return log.pages(run, range);
    },
  });
  await new Loops({ log: watched }).inbox();
  expect(wholly).toEqual([waiting]);
  expect(new Set(reads)).toEqual(new Set([working.run, waiting]));
  await working.abort();
  await working.done;
});

test('T9 the inbox has the question of a run that a process owns as well', async () => {
  const harness = office(asking);
  const live = await harness.start();
  await untilWaiting(live);
  expect(await harness.loops().inbox()).toMatchObject([{ run: live.run }]);
  await live.abort();
  await live.done;
  expect(await harness.loops().inbox()).toEqual([]);
});
