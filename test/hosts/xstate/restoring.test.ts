import { setTimeout as delay } from 'node:timers/promises';
import { type AnyActorRef, createActor, waitFor } from 'xstate';
import { expect, test } from 'vitest';
import { scriptedModel } from '../../../src/actors/model/model-script.ts';
import { Loops } from '../../../src/hosts/local/local-host.ts';
import type { LoopsOptions } from '../../../src/hosts/local/loops-options.ts';
import {
  type LoopEmitted,
  loopLogic,
  type LoopSnapshot,
  RunUnavailableError,
} from '../../../src/hosts/xstate/index.ts';
import { INBOX_POLL_MS } from '../../../src/log/inbox-store.ts';
import { memoryLog, openSqliteLog } from '../../../src/log/sqlite/engine.ts';
import { temporaryFolder } from '../../git/repository.ts';
import { temporaryStore } from '../../log/store.ts';
import { testInTurn } from '../../support/in-turn.ts';
import { tool } from '../../support/stand-ins.ts';
import { answering, callsThen, deployment, holdTask, holding, noteTask, task } from './deployment.ts';

const asJson = (value: unknown) => JSON.parse(JSON.stringify(value));
const loopIn = (parent: AnyActorRef) => parent.getSnapshot().children['agent'] as AnyActorRef;
const contextOf = (parent: AnyActorRef) => (loopIn(parent).getSnapshot() as LoopSnapshot).context;

/** A parent of its own, as after a restart: nothing is shared but the store. */
function restored(path: string, persisted: unknown, options: Partial<LoopsOptions>) {
  const log = openSqliteLog(path);
  const { machine, agent } = deployment({ log, ...options });
  const parent = createActor(machine, { snapshot: asJson(persisted) as never, input: task });
  return {
    parent,
    agent,
    log,
    deployed: async () => (await waitFor(parent.start(), (now) => now.matches('deployed'))).context.output,
  };
}

test('persisted before the run began: restored twice, it is one run, and it is done once', async () => {
  const path = temporaryStore();
  const log = openSqliteLog(path);
  let times = 0;
  const note = tool('note', async () => ({ output: `${(times += 1)}` }), { effectClass: 'once' });
  const options = { model: scriptedModel(callsThen('note', 'noted')), tools: [note] };
  const persisted = createActor(deployment({ log, ...options }).machine, { input: noteTask }).getPersistedSnapshot();
  const [one, other] = [restored(path, persisted, options), restored(path, persisted, options)];
  const outputs = await Promise.all([one.deployed(), other.deployed()]);
  expect(outputs[0]).toEqual(outputs[1]);
  expect(outputs[0]).toMatchObject({ answer: 'noted', outcome: { ending: 'success' } });
  expect(times).toBe(1);
  expect((await log.runs()).map(({ run }) => run)).toEqual([outputs[0]?.run]);
});

testInTurn('restored while another process owns it: it follows, and takes over when that process leaves', async () => {
  const path = temporaryStore();
  const { tool: hold, began } = holding();
  const first = deployment({
    log: openSqliteLog(path),
    model: scriptedModel(callsThen('hold', 'first')),
    tools: [hold],
  });
  const parent = createActor(first.machine, { input: holdTask }).start();
  await began;
  const next = restored(path, parent.getPersistedSnapshot(), {
    model: scriptedModel(callsThen('hold', 'taken over')),
    tools: [hold],
  });
  next.parent.start();
  await waitFor(loopIn(next.parent), ({ context }) => context.servedBy === 'elsewhere');
  await first.agent.shutDown();
  expect(await next.deployed()).toMatchObject({ answer: 'taken over', run: contextOf(parent).run });
  await next.agent.settled();
});

test('after shutDown a stopped actor has aborted nothing, and its run goes on when it is restored', async () => {
  const path = temporaryStore();
  const log = openSqliteLog(path);
  const { tool: hold, began, told } = holding();
  const { machine, agent } = deployment({ log, model: scriptedModel(callsThen('hold', 'first')), tools: [hold] });
  const parent = createActor(machine, { input: holdTask }).start();
  const { run } = contextOf(parent);
  await began;
  await agent.shutDown();
  const persisted = parent.getPersistedSnapshot();
  parent.stop();
  await agent.settled();
  expect(told).toEqual(['pause']);
  expect(await log.run(run)).toMatchObject({ closed: null });
  await log.close();
  expect(
    await restored(path, persisted, { model: scriptedModel(callsThen('hold', 'later')), tools: [hold] }).deployed(),
  ).toMatchObject({ answer: 'later' });
});

test('a loop that its parent goes on to while it is shut down is left for later as well', async () => {
  const log = memoryLog();
  const { tool: hold, began } = holding();
  const agent = loopLogic({ log, model: scriptedModel(callsThen('hold', 'x')), tools: [hold] });
  const [one, other] = [await temporaryFolder(), await temporaryFolder()];
  const first = createActor(agent, { input: { ...holdTask, directory: one } });
  const second = createActor(agent, { input: { ...holdTask, directory: other } });
  first.start();
  await began;
  const isDown = agent.shutDown();
  second.start();
  await isDown;
  await agent.settled();
  for (const { run } of await log.runs()) expect(await log.holder(run)).toBeNull();
  expect(second.getSnapshot()).toMatchObject({ status: 'active', context: { servedBy: null } });
});

testInTurn('a run that was paused on purpose stays so when it is restored, until it is told to go on', async () => {
  const path = temporaryStore();
  const log = openSqliteLog(path);
  const { tool: hold, began } = holding();
  const { machine } = deployment({ log, model: scriptedModel(callsThen('hold', 'first')), tools: [hold] });
  const parent = createActor(machine, { input: holdTask }).start();
  await began;
  loopIn(parent).send({ type: 'pause' });
  await waitFor(loopIn(parent), ({ context }) => context.paused === 'user' && context.servedBy === null);
  const persisted = parent.getPersistedSnapshot();
  const { version } = contextOf(parent);
  const next = restored(path, persisted, { model: scriptedModel(callsThen('hold', 'gone on')), tools: [hold] });
  next.parent.start();
  await waitFor(loopIn(next.parent), ({ context }) => context.paused === 'user');
  expect((await log.run(contextOf(parent).run))?.version).toBe(version);
  loopIn(next.parent).send({ type: 'resume' });
  expect(await next.deployed()).toMatchObject({ answer: 'gone on' });
});

testInTurn('the last command counts: a run told to resume and then to pause stays paused', async () => {
  const log = memoryLog();
  const { tool: hold, began } = holding();
  const agent = loopLogic({ log, model: scriptedModel(callsThen('hold', 'x')), tools: [hold] });
  const actor = createActor(agent, { input: holdTask }).start();
  await began;
  actor.send({ type: 'pause' });
  await waitFor(actor, ({ context }) => context.paused === 'user' && context.servedBy === null);
  const refused = new Promise<LoopEmitted>((resolve) => actor.on('refused', resolve));
  actor.send({ type: 'resume' });
  actor.send({ type: 'pause' });
  expect(await refused).toMatchObject({ command: 'pause', reason: expect.stringContaining('paused already') });
  const { version } = actor.getSnapshot().context;
  await delay(2 * INBOX_POLL_MS);
  expect(actor.getSnapshot().context).toMatchObject({ version, paused: 'user', servedBy: null });
  actor.stop();
  await agent.settled();
});

test('a run that ended meanwhile delivers its output to the restored parent, and opens nothing', async () => {
  const path = temporaryStore();
  const log = openSqliteLog(path);
  const { machine } = deployment({ log, model: answering('done') });
  const parent = createActor(machine, { input: task });
  const persisted = parent.getPersistedSnapshot();
  const { context } = await waitFor(parent.start(), (now) => now.matches('deployed'));
  const before = await log.run(context.output?.run ?? '');
  expect(await restored(path, persisted, { model: answering('again') }).deployed()).toEqual(context.output);
  expect(await log.run(context.output?.run ?? '')).toEqual(before);
});

test('a run that ended by an error is delivered as that: to be restored is no reason to try again', async () => {
  const path = temporaryStore();
  const log = openSqliteLog(path);
  const model = scriptedModel(() => ({ error: { code: 'broken', message: 'It broke.' } }));
  const { machine } = deployment({ log, model });
  const parent = createActor(machine, { input: task });
  const persisted = parent.getPersistedSnapshot();
  const { context } = await waitFor(parent.start(), (now) => now.matches('deployed'));
  expect(context.output?.outcome).toMatchObject({ ending: 'abort', cause: 'error' });
  expect(await restored(path, persisted, { model: answering('again') }).deployed()).toEqual(context.output);
  expect(await log.runs()).toHaveLength(1);
});

test('a run whose log is gone is an error, and is not started anew', async () => {
  const { tool: hold, began } = holding();
  const options = { model: scriptedModel(callsThen('hold', 'never')), tools: [hold] };
  const { machine, agent } = deployment({ log: memoryLog(), ...options });
  const parent = createActor(machine, { input: holdTask }).start();
  await began;
  const persisted = parent.getPersistedSnapshot();
  const other = memoryLog();
  const again = createActor(deployment({ log: other, ...options }).machine, {
    snapshot: asJson(persisted),
    input: task,
  }).start();
  const { context } = await waitFor(again, (now) => now.matches('broken'));
  expect(context.error).toBeInstanceOf(RunUnavailableError);
  expect(context.error).toMatchObject({ code: 'unknown_run' });
  expect(await other.runs()).toEqual([]);
  parent.stop();
  await agent.settled();
});

testInTurn(
  'a restored actor that is stopped aborts its run, also while paused or owned by another process',
  async () => {
    const path = temporaryStore();
    const log = openSqliteLog(path);
    const { tool: hold, began } = holding();
    const { machine } = deployment({ log, model: scriptedModel(callsThen('hold', 'never')), tools: [hold] });
    const parent = createActor(machine, { input: holdTask }).start();
    await began;
    const next = restored(path, parent.getPersistedSnapshot(), { model: answering('x'), tools: [hold] });
    next.parent.start();
    await waitFor(loopIn(next.parent), ({ context }) => context.servedBy === 'elsewhere');
    next.parent.stop();
    await next.agent.settled();
    const { context } = await waitFor(parent, (now) => now.matches('deployed'));
    expect(context.output?.outcome.ending).toBe('abort');

    const paused = await new Loops({ log, model: scriptedModel(callsThen('hold', 'never')), tools: [hold] }).start(
      holdTask,
    );
    await paused.pause('user');
    await paused.done;
    const { machine: other, agent } = deployment({ log, model: answering('x'), tools: [hold] });
    const stopped = createActor(other, { input: { ...task, runId: paused.run } }).start();
    await waitFor(loopIn(stopped), ({ context }) => context.paused === 'user');
    stopped.stop();
    await agent.settled();
    expect(await log.run(paused.run)).toMatchObject({ closed: 'abort' });
  },
);
