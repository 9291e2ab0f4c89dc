import { describe, expect, test } from 'vitest';
import type { Actor } from '../../src/actors/actor.ts';
import { EnvironmentFault } from '../../src/log/environment-fault.ts';
import { LogError } from '../../src/log/log.ts';
import { memoryLog } from '../../src/log/sqlite/engine.ts';
import { aroundAppend } from '../support/around-append.ts';
import { createHarness } from '../support/harness.ts';
import type { HarnessOptions } from '../support/harness-options.ts';
import { ended, history } from '../support/run-history.ts';
import { capturing, tool, verdicts } from '../support/stand-ins.ts';

const full = () => Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
const closed = () =>
  Object.assign(new Error("EPERM: operation not permitted, mkdir '/p'"), { code: 'EPERM', path: '/p' });
const locked = () => new LogError('unavailable', 'log.db', 'another process keeps it locked', 'Try again.');

/** Throws until the environment is mended. */
class Environment {
  isMended = false;
  readonly #error: () => Error;
  constructor(error: () => Error) {
    this.#error = error;
  }
  readonly check = (): void => {
    if (!this.isMended) throw this.#error();
  };
  before<Input>(actor: Actor<Input>): Actor<Input> {
    const { check } = this;
    return {
      ...actor,
      async *execute(...asked) {
        check();
        yield* actor.execute(...asked);
      },
    };
  }
}

const calling = { answers: [{ calls: [{ tool: 'put' }] }, { text: 'tried' }] };
const put = (work: () => void, effectClass: 'repeatable' | 'once') => ({
  ...tool('put', async () => (work(), { output: 'put' })),
  effectClass,
});

type Strikes = (environment: Environment) => Omit<HarnessOptions, 'model'>;
const struck: readonly (readonly [what: string, error: () => Error, strikes: Strikes])[] = [
  ['a repeatable tool of the attempt', full, ({ check }) => ({ tools: [put(check, 'repeatable')] })],
  [
    'a tool that runs once, and has not started',
    () => new EnvironmentFault('no process', full(), { hasStarted: false }),
    ({ check }) => ({ tools: [put(check, 'once')] }),
  ],
  [
    'the capture of the run',
    full,
    (environment) => ({ tools: [put(() => {}, 'once')], services: { capture: environment.before(capturing()) } }),
  ],
  [
    'the checks of the run',
    () => new Error('git failed', { cause: full() }),
    (environment) => ({ tools: [put(() => {}, 'once')], services: { verify: environment.before(verdicts(true)) } }),
  ],
  [
    'a folder of the checks that may not be written',
    closed,
    (environment) => ({ tools: [put(() => {}, 'once')], services: { verify: environment.before(verdicts(true)) } }),
  ],
];

describe('a fault of the environment pauses the whole tree, and uses up no iteration', () => {
  test.each(struck)('where it strikes %s', async (_, error, strikes) => {
    const environment = new Environment(error);
    const harness = createHarness({ model: calling, ...strikes(environment) });
    const live = await harness.start({ checks: ['true'], maxIterations: 1 });
    expect(await live.done).toEqual({
      kind: 'paused',
      obstacle: expect.stringMatching(/ENOSPC|EPERM|no process|git failed/),
    });
    const open = await harness.log.runs();
    const newest = await Promise.all(open.map(async ({ run }) => (await history(harness.log, run)).at(-1)));
    expect(newest[0]).toMatchObject({ type: 'run.paused', payload: { by: 'environment', reason: expect.any(String) } });
    for (const fact of newest) expect(['run.paused', 'strategy.ended']).toContain(fact?.type);

    environment.isMended = true;
    const { outcome } = await ended(await harness.resume(live.run));
    expect(outcome).toMatchObject({ ending: 'success' });
    const facts = await history(harness.log, live.run);
    expect(facts.filter(({ type }) => type === 'iteration.started')).toHaveLength(1);
    const settled = facts.flatMap(({ type, payload }) => (type === 'child.settled' ? [payload] : []));
    expect(settled).toMatchObject([{ outcome: { ending: 'success' } }]);
    const child = await history(harness.log, String(open.at(-1)?.run));
    expect(child.map(({ type }) => type)).not.toContain('tool.interrupted');
  });

  test('and a call of the attempt that must not be repeated is not, as it has started', async () => {
    let calls = 0;
    const fail = () => {
      calls += 1;
      throw full();
    };
    const harness = createHarness({ model: calling, tools: [put(fail, 'once')] });
    const live = await harness.start({ checks: ['true'], maxIterations: 1 });
    expect(await live.done).toMatchObject({ kind: 'paused' });
    const { done, observer } = await harness.resume(live.run);
    expect((await ended({ done })).outcome).toMatchObject({ ending: 'success' });
    expect(calls).toBe(1);
    expect(observer.of('tool.interrupted').map(({ run }) => run)).toEqual([observer.of('run.resumed')[1]?.run]);
  });

  test('where the log cannot be written for a while, in whichever run of the tree that is met', async () => {
    const environment = new Environment(locked);
    environment.isMended = true;
    const log = memoryLog();
    const locking = aroundAppend(log, async (request, append) => {
      environment.check();
      return append(request);
    });
    const lock = put(() => {
      environment.isMended = false;
    }, 'repeatable');
    const harness = createHarness({ log: locking, model: calling, tools: [lock] });
    const live = await harness.start({ checks: ['true'], maxIterations: 1 });
    await expect(live.done).rejects.toThrow('another process keeps it locked');
    const types = (await Promise.all((await log.runs()).map(({ run }) => history(log, run)))).flat();
    expect(types.filter(({ type }) => ['abort.requested', 'run.paused'].includes(type))).toEqual([]);

    environment.isMended = true;
    const again = createHarness({ log, model: calling, tools: [put(() => {}, 'repeatable')] });
    const { outcome } = await ended(await again.resume(live.run));
    expect(outcome).toMatchObject({ ending: 'success' });
    expect((await history(log, live.run)).filter(({ type }) => type === 'iteration.started')).toHaveLength(1);
  });

  test('where the log is found damaged, whichever run of the tree meets that, nothing more is recorded', async () => {
    const environment = new Environment(
      () => new LogError('damaged', 'log.db', 'the log is damaged', 'Restore it from a copy.'),
    );
    environment.isMended = true;
    const log = memoryLog();
    const damaged = aroundAppend(log, async (request, append) => {
      if (request.events.some(({ type }) => type === 'tool.completed')) environment.check();
      return append(request);
    });
    const damage = put(() => {
      environment.isMended = false;
    }, 'repeatable');
    const harness = createHarness({ log: damaged, model: calling, tools: [damage] });
    const live = await harness.start({ checks: ['true'], maxIterations: 1 });
    await expect(live.done).rejects.toMatchObject({ name: 'LogError', kind: 'damaged' });
    const types = (await Promise.all((await log.runs()).map(({ run }) => history(log, run)))).flat();
    expect(types.filter(({ type }) => ['abort.requested', 'run.paused'].includes(type))).toEqual([]);
  });

  test('where a run below is not in the log any more, nothing more is recorded above it', async () => {
    const log = memoryLog();
    const emptied = aroundAppend(log, async (request, append) =>
      request.events.some(({ type }) => type === 'tool.completed') ? { kind: 'conflict', version: 0 } : append(request),
    );
    const harness = createHarness({ log: emptied, model: calling, tools: [put(() => {}, 'repeatable')] });
    const live = await harness.start({ checks: ['true'], maxIterations: 1 });
    expect(await live.done).toEqual({
      kind: 'lost',
      detail: expect.stringMatching(/^run \S+ below it: another process wrote version 0$/),
    });
    const types = (await Promise.all((await log.runs()).map(({ run }) => history(log, run)))).flat();
    expect(types.filter(({ type }) => ['abort.requested', 'run.paused'].includes(type))).toEqual([]);
  });

  test('and an abort that was requested meanwhile wins', async () => {
    const environment = new Environment(full);
    const harness = createHarness({ model: calling, tools: [put(environment.check, 'repeatable')] });
    const live = await harness.start({ checks: ['true'] });
    await live.done;
    environment.isMended = true;
    await harness.supervisor.abort(live.run);
    expect(await harness.log.run(live.run)).toMatchObject({ closed: 'abort' });
  });
});

test('an error of a handler that says nothing of the environment still aborts', async () => {
  const environment = new Environment(() => new Error('a bug'));
  const harness = createHarness({
    model: calling,
    tools: [put(() => {}, 'once')],
    services: { verify: environment.before(verdicts(true)) },
  });
  const { outcome } = await harness.play({ checks: ['true'] });
  expect(outcome).toMatchObject({ ending: 'abort', cause: 'error' });
});
