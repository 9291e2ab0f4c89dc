import { createActor, initialTransition, toPromise, transition } from 'xstate';
import { expect, test } from 'vitest';
import {
  type LoopCommand,
  loopLogic,
  type LoopSnapshot,
  RunUnavailableError,
} from '../../../src/hosts/xstate/index.ts';
import { memoryLog } from '../../../src/log/sqlite/engine.ts';
import { answering, task } from './deployment.ts';

const RUN = '01980000-0000-7000-8000-000000000001';
const input = { ...task, runId: RUN };
const commands: readonly LoopCommand[] = [
  { type: 'answer', text: 'yes' },
  { type: 'steer', text: 'left' },
  { type: 'pause' },
  { type: 'resume' },
  { type: 'abort' },
];
const asJson = (value: unknown) => JSON.parse(JSON.stringify(value));

test('the first snapshot follows from the input, and nothing is done to make it', async () => {
  const log = memoryLog();
  const logic = loopLogic({ log, model: answering('done') });
  const [one] = initialTransition(logic, input);
  const [other] = initialTransition(logic, input);
  expect(one).toEqual(other);
  expect(one.context).toMatchObject({ run: RUN, version: 0, state: null });
  expect(await log.runs()).toEqual([]);
});

test('without a name in its input every run gets one of its own', () => {
  const logic = loopLogic({ log: memoryLog() });
  const names = [1, 2].map(() => initialTransition(logic, task)[0].context.run);
  expect(new Set(names).size).toBe(2);
});

test('looking ahead does nothing: a transition of every event is a value, and leaves its input as it was', async () => {
  const log = memoryLog();
  const logic = loopLogic({ log, model: answering('done') });
  const seen: Parameters<typeof logic.transition>[1][] = [...commands];
  const actor = createActor(logic, {
    input,
    inspect: (one) => {
      if (one.type === '@xstate.event' && one.event.type.startsWith('loopfold.')) seen.push(one.event as never);
    },
  }).start();
  await toPromise(actor);
  const facts = (await log.run(RUN))?.version;
  const [first] = initialTransition(logic, input);
  for (const event of [...seen, { type: 'xstate.stop' } as never, { type: 'unknown' } as never]) {
    const before = asJson(first);
    expect(transition(logic, first, event)[0]).toEqual(transition(logic, first, event)[0]);
    expect(asJson(first)).toEqual(before);
  }
  expect(seen.length).toBeGreaterThan(commands.length + 5);
  expect((await log.run(RUN))?.version).toBe(facts);
});

test('a snapshot that is over takes nothing more', async () => {
  const logic = loopLogic({ log: memoryLog(), model: answering('done') });
  const actor = createActor(logic, { input }).start();
  await toPromise(actor);
  const over = actor.getSnapshot();
  for (const event of commands) expect(transition(logic, over, event)[0]).toBe(over);
});

test('what is persisted is JSON, at every moment, and stands for the same snapshot', async () => {
  const logic = loopLogic({ log: memoryLog(), model: answering('done') });
  const actor = createActor(logic, { input });
  const moments: LoopSnapshot[] = [actor.getSnapshot()];
  actor.subscribe((snapshot) => moments.push(snapshot));
  actor.start();
  await toPromise(actor);
  expect(moments.length).toBeGreaterThan(6);
  for (const snapshot of moments) {
    const persisted = logic.getPersistedSnapshot(snapshot);
    expect(asJson(persisted)).toEqual(JSON.parse(JSON.stringify(snapshot)));
    const restored = createActor(logic, { snapshot: asJson(persisted), input }).getSnapshot();
    expect(restored).toEqual({ ...asJson(snapshot), context: { ...asJson(snapshot.context), servedBy: null } });
  }
});

test('a persisted error keeps its words and its data', async () => {
  const logic = loopLogic({ log: memoryLog(), model: answering('done') });
  const actor = createActor(logic, { input: { ...input, prompt: '' } });
  const failed = new Promise((resolve) => actor.subscribe({ error: resolve }));
  actor.start();
  await failed;
  expect(asJson(actor.getPersistedSnapshot())).toMatchObject({
    status: 'error',
    error: { name: 'OptionsError', message: expect.stringContaining('prompt'), faults: [{ field: 'prompt' }] },
  });
});

test('the snapshot of something else is refused', () => {
  const logic = loopLogic({ log: memoryLog() });
  const other = { status: 'active', output: undefined, error: undefined, context: {} } as const;
  const actor = createActor(logic, { snapshot: other as never, input });
  expect(actor.getSnapshot()).toMatchObject({ status: 'error', error: expect.any(TypeError) });
});

test('an error says what to do', () => {
  expect(new RunUnavailableError('unknown_run', RUN, 'this log does not know it').message).toBe(
    `run ${RUN}: this log does not know it. Open the log that the run was started in.`,
  );
});
