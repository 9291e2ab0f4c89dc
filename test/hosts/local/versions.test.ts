import { expect, test } from 'vitest';
import { IterationEvent } from '../../../machines/events.ts';
import type { FrozenMachine } from '../../../machines/index.ts';
import { attemptBounds } from '../../../src/loops/attempt-loop.ts';
import { attempt } from '../../../src/loops/shared/effects/run-child.ts';
import { defineLoop } from '../../../src/loops/define-loop.ts';
import { Loops } from '../../../src/hosts/local/local-host.ts';
import { scriptedModel } from '../../../src/actors/model/model-script.ts';
import { memoryLog } from '../../../src/log/sqlite/engine.ts';
import type { LoopSettings } from '../../../src/kernel/loop-definition.ts';
import { temporaryFolder } from '../../git/repository.ts';
import { testInTurn } from '../../support/in-turn.ts';
import { iterationCalled } from '../../support/iteration-called.ts';

const { needsGit: _, ofChildren: _caps, ...ANYWHERE } = attemptBounds;

const trying = (version: string, settings: LoopSettings) =>
  defineLoop({
    machine: iterationCalled('trying', { version }),
    events: IterationEvent,
    effects: { runAgent: attempt },
    settings,
  });

/**
 * A run of the first version, in no git work tree, that has had all its attempts; and a host that knows the second as
 * well.
 */
async function cappedRun(second: LoopSettings) {
  const log = memoryLog();
  const model = scriptedModel({ attempts: [{ answers: [{ text: 'tried' }] }, { answers: [{ text: 'tried' }] }] });
  const first = trying('1', ANYWHERE);
  const directory = await temporaryFolder();
  const before = new Loops({ log, model, loops: [first] });
  const { run, done } = await before.start({
    prompt: 'Try.',
    loop: 'trying',
    directory,
    checks: ['false'],
    maxIterations: 1,
    maxTime: 'none',
    maxTokens: 'none',
  });
  expect(await done).toMatchObject({ kind: 'ended', outcome: { ending: 'cap_hit' } });
  return { run, loops: new Loops({ log, model, loops: [first, trying('2', second)] }) };
}

async function outcomeOf(continued: Awaited<ReturnType<Loops['extend']>>) {
  if (continued.kind !== 'live') throw new Error(JSON.stringify(continued));
  return continued.live.done;
}

test('a continuation needs what the version that folds it needs, whatever a later one does', async () => {
  const { run, loops } = await cappedRun({ ...ANYWHERE, needsGit: true });
  expect(await outcomeOf(await loops.extend(run, { maxIterations: 2 }))).toMatchObject({
    kind: 'ended',
    outcome: { ending: 'cap_hit' },
  });
});

testInTurn('a continuation is bounded by the caps of the version that folds it', async () => {
  const { run, loops } = await cappedRun({ bounds: ['maxTokens'] });
  expect(await outcomeOf(await loops.extend(run, { maxIterations: 2 }))).toMatchObject({
    kind: 'ended',
    outcome: { ending: 'cap_hit' },
  });
});

test('a paused run needs what the version that folds it needs; migrated, what the newest needs', async () => {
  const log = memoryLog();
  const working = Promise.withResolvers<void>();
  const model = scriptedModel(async () => {
    working.resolve();
    return new Promise<never>(() => {});
  });
  const second = trying('2', { ...ANYWHERE, needsGit: true });
  const first = { ...trying('1', ANYWHERE), migration: { to: second, migrate: (frozen: FrozenMachine) => frozen } };
  const live = await new Loops({ log, model, loops: [first] }).start({
    prompt: 'Try.',
    loop: 'trying',
    directory: await temporaryFolder(),
    graceMs: 0,
  });
  await working.promise;
  await live.pause('user');
  await live.done;
  const loops = new Loops({ log, model, loops: [first, second] });

  await expect(loops.resume(live.run, undefined, { migrate: true })).rejects.toThrow('is in no git work tree');

  const resumed = await loops.resume(live.run);
  if (resumed.kind !== 'live') throw new Error(resumed.kind);
  await resumed.live.abort();
  expect(await resumed.live.done).toMatchObject({ kind: 'ended', outcome: { ending: 'abort' } });
});
