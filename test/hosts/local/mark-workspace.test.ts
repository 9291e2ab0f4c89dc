import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { RunOptions } from '../../../src/config/options.ts';
import { Loops } from '../../../src/hosts/local/local-host.ts';
import type { AnyScript } from '../../../src/hosts/local/extensions.ts';
import { scriptedModel } from '../../../src/actors/model/model-script.ts';
import { memoryLog } from '../../../src/log/sqlite/engine.ts';
import { testInTurn } from '../../support/in-turn.ts';
import { leftPaused } from './isolation/isolated.ts';
import { repository, temporaryFolder } from '../../git/repository.ts';
import { untilStopped } from '../../support/stand-ins.ts';

const write = (path: string, content: string) => ({ calls: [{ tool: 'write', arguments: { path, content } }] });
const loopsOf = (script: AnyScript, tools: ConstructorParameters<typeof Loops>[0]['tools'] = []) =>
  new Loops({ log: memoryLog(), model: scriptedModel(script), tools });

async function ran(root: string, script: AnyScript, options: Partial<RunOptions> = {}) {
  const run = await loopsOf(script).start({ prompt: 'x', loop: 'turn', directory: root, ...options });
  await run.done;
  return run.run;
}

const namesOf = async ({ git }: Awaited<ReturnType<typeof repository>>, run: string) =>
  (await git('for-each-ref', '--format=%(refname:lstrip=3)', `refs/loopfold/${run}/`)).trim().split('\n');

testInTurn('G10 a run that can write has a capture of its start and of its end, without any check', async () => {
  const repo = await repository({ 'a.txt': '1' });
  await repo.commit();
  await repo.write({ 'mine.txt': 'not committed' });
  const run = await ran(repo.root, { answers: [write('a.txt', '2'), { text: 'done' }] });
  expect(await namesOf(repo, run)).toEqual(['0', 'end', 'head', 'log', 'rules', 'settings']);
  expect(await repo.filesOf(`refs/loopfold/${run}/0`)).toEqual({ 'a.txt': '1', 'mine.txt': 'not committed' });
  expect(await repo.filesOf(`refs/loopfold/${run}/end`)).toEqual({ 'a.txt': '2', 'mine.txt': 'not committed' });
  expect(await repo.git('rev-parse', `refs/loopfold/${run}/head`)).toBe(await repo.git('rev-parse', 'HEAD'));
});

test('G10 a run that only reads has no capture', async () => {
  const repo = await repository({ 'a.txt': '1' });
  const run = await ran(repo.root, { answers: [{ text: 'done' }] }, { tools: ['read', 'list', 'finish', 'ask_user'] });
  expect(await namesOf(repo, run)).toEqual(['']);
});

testInTurn('G10 outside git, and in a repository without a commit, a run works as before', async () => {
  const script = { answers: [write('a.txt', '2'), { text: 'done' }] };
  await ran(await temporaryFolder(), script);
  const repo = await repository();
  expect(await namesOf(repo, await ran(repo.root, script))).toEqual(['0', 'end', 'log', 'rules', 'settings']);
});

testInTurn(
  'G10 a run that pauses is captured as it leaves, and while it works again that capture is gone',
  async () => {
    const repo = await repository({ 'a.txt': '1' });
    const listening = Promise.withResolvers<void>();
    const script = { answers: [{ calls: [{ tool: 'slow' }] }, { calls: [{ tool: 'slow' }] }, { text: 'done' }] };
    const loops = loopsOf(script, [untilStopped('slow', () => Promise.reject(new Error('cut')))]);
    const options = { prompt: 'x', loop: 'turn', directory: repo.root, tools: ['slow'] };
    const run = await loops.start(options, (_facts, deltas) => deltas.subscribe(() => listening.resolve()));
    await listening.promise;
    await writeFile(join(repo.root, 'a.txt'), '2');
    await run.pause('user');
    await run.done;
    expect(await repo.filesOf(`refs/loopfold/${run.run}/end`)).toEqual({ 'a.txt': '2' });
    const resumed = await loops.resume(run.run);
    if (resumed.kind !== 'live') throw new Error(resumed.kind);
    await expect.poll(() => namesOf(repo, run.run)).toEqual(['0', 'log', 'rules', 'settings']);
    await resumed.live.abort();
    await resumed.live.done;
    expect(await namesOf(repo, run.run)).toEqual(['0', 'end', 'log', 'rules', 'settings']);
  },
);

testInTurn('G10 how a run left is forgotten before it works again, and kept where it is refused', async () => {
  const repo = await repository({ 'a.txt': '1' });
  await repo.commit();
  const seen: string[][] = [];
  const log = memoryLog();
  const acquire = log.acquire.bind(log);
  const left = await leftPaused(repo.root, { log });
  const { run } = left.live;
  const resume = () => left.loops().resume(run);
  Object.assign(log, {
    acquire: async () => {
      seen.push(await namesOf(repo, run));
      throw new Error('no lease');
    },
  });
  await expect(resume()).rejects.toThrow('no lease');
  expect(seen).toEqual([['0', 'head', 'log', 'rules', 'settings']]);
  expect(await namesOf(repo, run)).toContain('end');
  Object.assign(log, { acquire });
  const lock = join(repo.root, `.git/refs/loopfold/${run}/end.lock`);
  await writeFile(lock, '');
  await expect(resume()).rejects.toThrow(/git cannot forget how run .*end\.lock.*resume the run again/s);
  await rm(lock);
  const again = await resume();
  if (again.kind !== 'live') throw new Error(again.kind);
  await again.live.done;
});

testInTurn('G10 a continuation starts from the workspace as it finds it', async () => {
  const repo = await repository({ 'a.txt': '1' });
  const script = { answers: [write('a.txt', '2'), write('a.txt', '3'), { text: 'done' }] };
  const loops = loopsOf(script);
  const first = await loops.start({ prompt: 'x', loop: 'turn', directory: repo.root, maxSteps: 1 });
  await first.done;
  await repo.write({ 'b.txt': 'by a person' });
  const extended = await loops.extend(first.run, { maxSteps: 5 });
  if (extended.kind !== 'live') throw new Error(extended.kind);
  await extended.live.done;
  const { run } = extended.live;
  expect(await repo.filesOf(`refs/loopfold/${run}/0`)).toEqual({ 'a.txt': '2', 'b.txt': 'by a person' });
  expect(await repo.filesOf(`refs/loopfold/${run}/end`)).toEqual({ 'a.txt': '3', 'b.txt': 'by a person' });
});

test('G10 a capture that fails hinders no run, and is reported', async () => {
  const repo = await repository({ 'a.txt': '1' });
  const warnings: string[] = [];
  const loops = new Loops({
    log: memoryLog(),
    model: scriptedModel({
      answers: [{ calls: [{ tool: 'shell', arguments: { command: 'echo broken > .git/index' } }] }, { text: 'done' }],
    }),
    warn: (message) => warnings.push(message),
  });
  const run = await loops.start({ prompt: 'x', loop: 'turn', directory: repo.root });
  expect(await run.done).toMatchObject({ kind: 'ended', outcome: { ending: 'success' } });
  expect(warnings).toEqual([expect.stringMatching(/could not be captured as run .* left it: .*index/)]);
});
