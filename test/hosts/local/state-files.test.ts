import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { scriptedModel } from '../../../src/actors/model/model-script.ts';
import { Loops } from '../../../src/hosts/local/local-host.ts';
import { shippedLoops } from '../../../src/loops/index.ts';
import { OptionsError } from '../../../src/app/start/options-error.ts';
import { memoryLog } from '../../../src/log/sqlite/engine.ts';
import { LoopMetrics, loopMetrics, LoopState, loopState } from '../../../src/projections/loop-state.ts';
import { readSummary } from '../../../src/projections/read-summary.ts';
import { repository, temporaryFolder } from '../../git/repository.ts';
import { testInTurn } from '../../support/in-turn.ts';

const DONE = { attempts: [{ answers: [{ text: 'one' }] }, { answers: [{ text: 'two' }] }] };

/** Loops of their own, and all they had to warn of. */
function loopsHere(model: Parameters<typeof scriptedModel>[0] = DONE) {
  const warnings: string[] = [];
  const log = memoryLog();
  return {
    log,
    warnings,
    loops: new Loops({ log, secrets: [], model: scriptedModel(model), warn: (message) => warnings.push(message) }),
  };
}

async function kept(root: string, folder = 'state') {
  const read = async (name: string) => JSON.parse(await readFile(join(root, folder, name), 'utf8'));
  return {
    state: LoopState.parse(await read('loop-state.json')),
    metrics: LoopMetrics.parse(await read('metrics.json')),
  };
}

const asked = (directory: string, more: object = {}) => ({
  prompt: 'Do it.',
  directory,
  checks: ['L1:false'],
  maxIterations: 2,
  stateDirectory: 'state',
  ...more,
});

test('L15 when a run is over its files say what its log says', async () => {
  const { root } = await repository({ 'a.txt': 'a' });
  const { log, loops, warnings } = loopsHere();
  const { run, done } = await loops.start(asked(root));
  await done;
  const summary = await readSummary(log, run, shippedLoops);
  if (!summary) throw new Error('no such run');
  const { state, metrics } = await kept(root);
  expect(state).toEqual(loopState(run, summary));
  expect(metrics).toEqual(loopMetrics(run, summary));
  expect(state).toMatchObject({
    status: 'ended',
    iteration: 1,
    outcome: { ending: 'cap_hit' },
    version: summary.version,
  });
  expect(metrics.iterations).toMatchObject([
    { passed: false, checksTotal: 1, failingChecks: ['L1/false'] },
    { iteration: 1 },
  ]);
  expect(warnings).toEqual([]);
});

testInTurn(
  'L15 no capture has them: the writing loop looks the same twice, also from a folder below the root',
  async () => {
    const { root, write, filesOf } = await repository({ 'a.txt': 'a' });
    await write({ 'below/b.txt': 'b' });
    const { log, loops } = loopsHere();
    const { run, done } = await loops.start(asked(join(root, 'below'), { stateDirectory: './deep/[state]' }));
    await done;
    await kept(join(root, 'below'), 'deep/[state]');
    const captures = [];
    for await (const { type, payload } of log.read(run))
      if (type === 'workspace.captured') captures.push(payload as { hash: string; ref: string; changed: object[] });
    expect(captures.map(({ hash }) => hash)).toEqual([captures[0]?.hash, captures[0]?.hash]);
    expect(captures.flatMap(({ changed }) => changed)).toEqual([]);
    expect(Object.keys(await filesOf(captures[1]?.ref ?? ''))).toEqual(['a.txt', 'below/b.txt']);
  },
);

testInTurn('L15 a reader sees a whole file while the loop works, and a deleted file is written again', async () => {
  const { root } = await repository({ 'a.txt': 'a' });
  const { loops, log } = loopsHere();
  const { run, done, events } = await loops.start(
    asked(root, { checks: [`L1:sleep 0.4; test -f state/loop-state.json && rm state/*; false`], checkIn: 'workspace' }),
  );
  const seen: LoopState[] = [];
  let isOver = false;
  const reading = (async () => {
    while (!isOver) {
      const text = await readFile(join(root, 'state/loop-state.json'), 'utf8').catch(() => null);
      if (text !== null) seen.push(LoopState.parse(JSON.parse(text)));
      await new Promise((resolve) => setImmediate(resolve));
    }
  })();
  events.subscribe();
  await done;
  isOver = true;
  await reading;
  expect(seen.some(({ status }) => status === 'running')).toBe(true);
  const summary = await readSummary(log, run, shippedLoops);
  expect(summary?.verification?.levels[0]?.checks[0]).toMatchObject({ exitCode: 1 });
  expect((await kept(root)).state.version).toBe(summary?.version);
});

testInTurn('L15 a run that is resumed without them writes them anew, from its log alone', async () => {
  const { root } = await repository({ 'a.txt': 'a' });
  const { loops, log } = loopsHere();
  const first = await loops.start(asked(root, { checks: ['L1:sleep 0.5; false'] }));
  await first.pause('user');
  await first.done;
  expect((await kept(root)).state.status).toBe('paused');
  await rm(join(root, 'state'), { recursive: true });
  const again = await loops.resume(first.run);
  if (again.kind !== 'live') throw new Error(again.kind);
  await again.live.done;
  const summary = await readSummary(log, first.run, shippedLoops);
  expect(summary && loopState(first.run, summary)).toEqual((await kept(root)).state);
});

testInTurn('L15 what cannot be written is one warning, and no error of the run', async () => {
  const { root } = await repository({ 'a.txt': 'a' });
  const { loops, warnings } = loopsHere();
  // The files are written while the check runs: the folder may come back in between.
  const takesThePlace = 'until rm -rf state && echo mine > state; do :; done; false';
  const { done } = await loops.start(asked(root, { checks: [`L1:${takesThePlace}`], checkIn: 'workspace' }));
  expect(await done).toMatchObject({ kind: 'ended', outcome: { ending: 'cap_hit' } });
  expect(warnings).toEqual([expect.stringMatching(/^the state directory state cannot be written: /)]);
  expect(await readFile(join(root, 'state'), 'utf8')).toBe('mine\n');
});

describe('L15 an unusable directory is refused before there is a run', () => {
  const refusal = async (stateDirectory: string, prepare: (root: string) => Promise<unknown> = async () => {}) => {
    const { root } = await repository({ 'a.txt': 'a' });
    await prepare(root);
    const { loops, log } = loopsHere();
    const error = await loops.start(asked(root, { stateDirectory })).then(
      () => null,
      (reason: unknown) => reason,
    );
    expect(await log.runs()).toEqual([]);
    expect(error).toBeInstanceOf(OptionsError);
    return error instanceof OptionsError ? error.faults.map(({ field }) => field) : [];
  };

  test.each(['../state', '/tmp', '.git/state', '.loopfold', 'a/../../b'])('L15 %s', async (stateDirectory) => {
    expect(await refusal(stateDirectory)).toEqual(['stateDirectory']);
  });

  testInTurn('L15 a link that leads out of the workspace, or to git', async () => {
    const outside = await temporaryFolder();
    expect(await refusal('link', (root) => symlink(outside, join(root, 'link')))).toEqual(['stateDirectory']);
    expect(await refusal('link/state', (root) => symlink('.git', join(root, 'link')))).toEqual(['stateDirectory']);
  });

  testInTurn('L15 one that holds another program’s file of that name', async () => {
    const theirs = async (root: string) => {
      await mkdir(join(root, 'state'));
      await writeFile(join(root, 'state/metrics.json'), '{"coverage": 80}');
    };
    expect(await refusal('state', theirs)).toEqual(['stateDirectory']);
  });

  testInTurn('L15 what a run before has left there is no obstacle', async () => {
    const { root } = await repository({ 'a.txt': 'a' });
    const { loops } = loopsHere();
    const runs = [];
    for (const prompt of ['One.', 'Two.']) {
      const { run, done } = await loops.start(asked(root, { prompt }));
      await done;
      runs.push(run);
      expect((await kept(root)).state).toMatchObject({ run, task: prompt });
    }
    expect(new Set(runs).size).toBe(2);
  });
});
