import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type AnyActorRef,
  createActor,
  type InputFrom,
  type InspectionEvent,
  type OutputFrom,
  setup,
  spawnChild,
  toPromise,
  waitFor,
} from 'xstate';
import { expect, expectTypeOf, test } from 'vitest';
import { scriptedModel } from '../../../src/actors/model/model-script.ts';
import { OptionsError } from '../../../src/app/start/options-error.ts';
import { EnvironmentError } from '../../../src/actors/environment-error.ts';
import {
  loopLogic,
  type LoopEmitted,
  type LoopInput,
  type LoopOutput,
  type LoopSnapshot,
} from '../../../src/hosts/xstate/index.ts';
import { LogError } from '../../../src/log/log.ts';
import { memoryLog, openSqliteLog } from '../../../src/log/sqlite/engine.ts';
import { temporaryFolder } from '../../git/repository.ts';
import { absent } from '../../support/absent.ts';
import { answering, callsThen, deployment, holdTask, holding, task } from './deployment.ts';

const loopIn = (parent: AnyActorRef) =>
  (parent.getSnapshot().children['agent'] as AnyActorRef).getSnapshot() as LoopSnapshot;

test('a machine that invokes a loop gets its outcome, answer and spend, and its own run id', async () => {
  const { machine } = deployment({ model: answering('done') });
  const parent = createActor(machine, { input: task }).start();
  const { run } = loopIn(parent).context;
  const { context } = await waitFor(parent, (snapshot) => snapshot.matches('deployed'));
  expect(context.output).toEqual({
    run,
    outcome: { ending: 'success', verified: null, partial: false },
    answer: 'done',
    spend: expect.objectContaining({ steps: 1, toolCalls: 0 }),
  });
});

test('an ending that is no success is an output like any other', async () => {
  const { tool } = holding();
  const model = scriptedModel({ answers: [{ calls: [{ tool: 'list', arguments: { path: '.' } }] }] });
  const { machine } = deployment({ model, tools: [tool] });
  const directory = await temporaryFolder();
  const parent = createActor(machine, { input: { ...task, directory, tools: ['list'], maxSteps: 1 } }).start();
  const { context } = await waitFor(parent, (snapshot) => snapshot.matches('deployed'));
  expect(context.output?.outcome).toMatchObject({ ending: 'cap_hit', limit: { name: 'steps' } });
});

test('a loop can be spawned, and its facts can be observed as they are recorded', async () => {
  const agent = loopLogic({ log: memoryLog(), model: answering('done') });
  const machine = setup({ actors: { agent } }).createMachine({
    entry: spawnChild('agent', { id: 'one', input: task }),
    on: { 'xstate.done.actor.one': '.over' },
    initial: 'waiting',
    states: { waiting: {}, over: {} },
  });
  const parent = createActor(machine);
  const heard: LoopEmitted[] = [];
  parent.getSnapshot().children['one']?.on('*', (event) => heard.push(event as LoopEmitted));
  parent.start();
  await waitFor(parent, (snapshot) => snapshot.matches('over'));
  const facts = heard.flatMap((event) => (event.type === 'fact' ? [event.fact] : []));
  expect(facts.map(({ version }) => version)).toEqual(facts.map((_, index) => index + 1));
  expect(facts.map(({ type }) => type)).toEqual(
    expect.arrayContaining(['run.started', 'model.completed', 'strategy.ended']),
  );
});

test('inspection shows the loop go from state to state', async () => {
  const { machine } = deployment({ model: answering('done') });
  const seen: InspectionEvent[] = [];
  const parent = createActor(machine, { input: task, inspect: (event) => seen.push(event) }).start();
  await waitFor(parent, (snapshot) => snapshot.matches('deployed'));
  const states = seen.flatMap((one) => {
    if (one.type !== '@xstate.snapshot' || (one.actorRef as AnyActorRef).id !== 'agent') return [];
    return [(one.snapshot as LoopSnapshot).context.state];
  });
  expect(states.filter((state, index) => state !== states[index - 1])).toEqual([
    null,
    'decide',
    'stream',
    'decide',
    'success',
  ]);
});

test('a stopped parent aborts the run: effects get their grace, and the ending is recorded', async () => {
  const log = memoryLog();
  const { tool, began, told } = holding();
  const { machine, agent } = deployment({ log, model: scriptedModel(callsThen('hold', 'never')), tools: [tool] });
  const parent = createActor(machine, { input: holdTask }).start();
  await began;
  parent.stop();
  await agent.settled();
  expect(told).toEqual(['abort']);
  const [record] = await log.runs();
  expect(record?.closed).toBe('abort');
  expect(await log.holder(record?.run ?? '')).toBeNull();
});

test('leaving the state that invokes it aborts the run, while the parent goes on', async () => {
  const log = memoryLog();
  const { tool, began } = holding();
  const { machine, agent } = deployment({ log, model: scriptedModel(callsThen('hold', 'never')), tools: [tool] });
  const parent = createActor(machine, { input: holdTask }).start();
  const { run } = loopIn(parent).context;
  await began;
  parent.send({ type: 'cancel' });
  expect(parent.getSnapshot().value).toBe('cancelled');
  await agent.settled(run);
  expect(await log.run(run)).toMatchObject({ closed: 'abort' });
});

test('an actor that is stopped before its run exists leaves no run that goes on', async () => {
  const log = memoryLog();
  const { machine, agent } = deployment({ log, model: answering('done') });
  createActor(machine, { input: task }).start().stop();
  await agent.settled();
  expect((await log.runs()).map(({ closed }) => closed)).not.toContain(null);
});

test('abort is a command too: then the abort is the output', async () => {
  const { tool, began } = holding();
  const logic = loopLogic({ log: memoryLog(), model: scriptedModel(callsThen('hold', 'never')), tools: [tool] });
  const actor = createActor(logic, { input: holdTask }).start();
  await began;
  actor.send({ type: 'abort', reason: 'enough' });
  expect((await toPromise(actor)).outcome).toMatchObject({ ending: 'abort', cause: 'user' });
});

test('options that are no run end in an error that names the field, and nothing is written', async () => {
  const log = memoryLog();
  const { machine } = deployment({ log, model: answering('done') });
  const parent = createActor(machine, { input: { ...task, prompt: ' ' } }).start();
  const { context } = await waitFor(parent, (snapshot) => snapshot.matches('broken'));
  expect(context.error).toBeInstanceOf(OptionsError);
  expect((context.error as OptionsError).faults).toMatchObject([{ field: 'prompt' }]);
  expect(await log.runs()).toEqual([]);
});

test('a folder that is not there ends in an error that says so', async () => {
  const { machine } = deployment({ model: answering('done') });
  const parent = createActor(machine, { input: { ...task, directory: absent() } }).start();
  const { context } = await waitFor(parent, (snapshot) => snapshot.matches('broken'));
  expect(context.error).toBeInstanceOf(EnvironmentError);
});

test('a log that is gone ends in its own error', async () => {
  const path = join(await temporaryFolder(), 'log.db');
  const log = openSqliteLog(path);
  await log.close();
  await rm(path);
  const { machine } = deployment({ log, model: answering('done') });
  const parent = createActor(machine, { input: task }).start();
  const { context } = await waitFor(parent, (snapshot) => snapshot.matches('broken'));
  expect(context.error).toBeInstanceOf(LogError);
});

test('input and output have types', () => {
  const { agent } = deployment();
  expectTypeOf<InputFrom<typeof agent>>().toEqualTypeOf<LoopInput>();
  expectTypeOf<OutputFrom<typeof agent>>().toEqualTypeOf<LoopOutput>();
  expectTypeOf(createActor(agent, { input: task }).getSnapshot()).toEqualTypeOf<LoopSnapshot>();
  expectTypeOf<LoopOutput['outcome']['ending']>().toEqualTypeOf<
    'success' | 'cap_hit' | 'doom_loop' | 'budget' | 'abort'
  >();
  // @ts-expect-error a number of steps is no text
  void { ...task, maxSteps: false } satisfies typeof task;
});
