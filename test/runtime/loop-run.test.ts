import { describe, expect, test } from 'vitest';
import type { Fact } from '../../src/kernel/effect-handlers.ts';
import { type Log, SNAPSHOT_EVERY_EVENTS } from '../../src/log/log.ts';
import { memoryLog } from '../../src/log/sqlite/engine.ts';
import { alone } from '../support/alone.ts';
import { aroundAppend } from '../support/around-append.ts';
import * as has from '../support/facts.ts';
import { createHarness } from '../support/harness.ts';
import { ended, history } from '../support/run-history.ts';
import { settled, tool } from '../support/stand-ins.ts';

/** Says something new each time. */
const echo = tool('echo', async ({ step }) => ({ output: `step ${step}` }));
const done = { answers: [{ text: 'done' }] };

describe('an event that is posted to a run', () => {
  test('is answered with the version that it has in the log', async () => {
    const { log, run } = await alone();
    expect(run.rejected).toBe(0);
    const posted = await run.post(has.steered);
    const version = (await history(log, 'alone')).find(({ type }) => type === 'run.steered')?.version;
    expect(posted).toEqual({ kind: 'accepted', version });
    run.lose('the test is over');
  });

  test('is refused for the reason that the run has left for', async () => {
    const { run: lost } = await alone();
    lost.lose('the test is over');
    expect(await lost.post(has.steered)).toEqual({ kind: 'rejected', because: 'left' });
    const { run: over } = await alone();
    await over.post(has.abortRequested());
    await over.done;
    expect(await over.post(has.steered)).toEqual({ kind: 'rejected', because: 'ended' });
  });
});

test('handlers observe each event of a run once, with the version that it has in the log', async () => {
  const observed: Fact[] = [];
  const harness = createHarness({
    model: done,
    aroundHandlers: (make) => (run, settings, loop) => {
      const handlers = make(run, settings, loop);
      return { ...handlers, observe: (fact, state) => (observed.push(fact), handlers.observe(fact, state)) };
    },
  });
  const { facts } = await harness.play();
  const named = (some: readonly Pick<Fact, 'version' | 'type'>[]) =>
    some.map(({ version, type }) => ({ version, type }));
  expect(named(observed)).toEqual(named(facts));
});

test('a state is stored once for so many events, as the run was at the end of their batch', async () => {
  const saved: number[] = [];
  const inner = memoryLog();
  const log = new Proxy(inner, {
    get: (target, member) => {
      const value: unknown = Reflect.get(target, member);
      if (member !== 'saveSnapshot') return typeof value === 'function' ? value.bind(target) : value;
      return async (snapshot: Parameters<Log['saveSnapshot']>[0]) => {
        saved.push(snapshot.version);
        return target.saveSnapshot(snapshot);
      };
    },
  });
  const model = ({ step }: { step: number }) =>
    step < 100 ? { calls: [{ tool: 'echo', arguments: { step } }] } : { text: 'done' };
  const { run, facts } = await createHarness({ log, tools: [echo], model }).play({ maxSteps: 200, maxToolCalls: 200 });
  expect(saved).toHaveLength(Math.floor(facts.length / SNAPSHOT_EVERY_EVENTS));
  expect(saved.length).toBeGreaterThan(1);
  for (const [index, version] of saved.entries()) {
    expect(Math.floor(version / SNAPSHOT_EVERY_EVENTS)).toBe(index + 1);
    expect(await inner.latestSnapshot(run, version)).toMatchObject({ version });
  }
});

test('an error of a run that no caller waits for is not unhandled', async () => {
  const unhandled: unknown[] = [];
  const note = (error: unknown) => void unhandled.push(error);
  process.on('unhandledRejection', note);
  try {
    const failing = (type: string) =>
      aroundAppend(memoryLog(), (request, append) =>
        request.events.some((event) => event.type === type) ? Promise.reject(new Error('disk full')) : append(request),
      );
    const { observer } = await createHarness({ log: failing('model.completed'), model: done }).start();
    await expect(createHarness({ log: failing('run.started'), model: done }).start()).rejects.toThrow('disk full');
    await observer.until('step.started');
    await settled();
    expect(unhandled).toEqual([]);
  } finally {
    process.off('unhandledRejection', note);
  }
});

test('a process knows its log and the loops that it can run', async () => {
  const { supervisor, log } = createHarness({ model: done });
  expect(supervisor.log).toBe(log);
  expect(supervisor.loops.map(({ id }) => id)).toContain('turn@1');
  expect((await ended(await supervisor.start(createHarness({ model: done }).settingsOf({})))).outcome.ending).toBe(
    'success',
  );
});
