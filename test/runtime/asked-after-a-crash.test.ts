import { expect, test } from 'vitest';
import type { Actor } from '../../src/actors/actor.ts';
import type { CaptureInput } from '../../src/actors/capture/capture-actor.ts';
import { dyingAt } from '../support/dying-log.ts';
import { createHarness } from '../support/harness.ts';
import { history } from '../support/run-history.ts';
import { never, tool } from '../support/stand-ins.ts';

/** A look at the workspace that never ends, and that a later process may ask about, or may not. */
const look = (reconcile?: Actor<CaptureInput>['reconcile']): Actor<CaptureInput> => ({
  effectClass: () => 'reconcilable',
  async *execute() {
    yield* [];
    await never();
  },
  ...(reconcile ? { reconcile } : {}),
});

/** What a process that comes after a crash makes of the look that was lost in it. */
async function lookLost(capture: Actor<CaptureInput>, how: 'resume' | 'abort') {
  const { clock, log, dying } = dyingAt('child.settled');
  const model = { answers: [{ text: 'done' }] };
  const { run } = await createHarness({ log: dying, model, clock, services: { capture: look() } }).start({
    checks: ['true'],
  });
  await expect.poll(async () => (await history(log, run)).at(-1)?.type, { timeout: 9_000 }).toBe('child.settled');
  const { length } = await history(log, run);
  clock.advance(60_000);
  const later = createHarness({ log, model, clock, services: { capture } });
  await (how === 'abort' ? later.supervisor.abort(run) : later.resume(run));
  const isTold = async () => (await history(log, run)).slice(length).some(({ type }) => type === 'effect.interrupted');
  await expect.poll(isTold, { timeout: 8_000 }).toBe(true);
  return (await history(log, run)).find(({ type }) => type === 'effect.interrupted')?.payload;
}

test('a look that was lost, and that cannot be asked whether it has happened, is told as interrupted', async () =>
  expect(await lookLost(look(), 'resume')).toMatchObject({ reason: 'the process that ran it is gone' }));

test('a look that was lost and cancelled is told as interrupted with the error of the process that asked', async () => {
  const asking = look(() => Promise.reject(new Error('the service is away')));
  expect(await lookLost(asking, 'abort')).toMatchObject({
    reason: expect.stringMatching(/^the process that ran it is gone; whether it happened is unknown: .*is away/),
  });
});

test('a call that was lost, and has happened, is told as completed once the run is resumed', async () => {
  const { clock, log, dying } = dyingAt('calls.admitted');
  const model = { answers: [{ calls: [{ tool: 'put' }] }, { text: 'done' }] };
  const { run } = await createHarness({ log: dying, tools: [tool('put', () => never())], model, clock }).start();
  await expect.poll(async () => (await history(log, run)).at(-1)?.type).toBe('calls.admitted');
  clock.advance(60_000);
  const reconcile = async () => ({ output: 'it had happened' });
  const put = { ...tool('put', () => never()), effectClass: 'reconcilable' as const, reconcile };
  const live = await createHarness({ log, tools: [put], model, clock }).resume(run);
  expect(await live.done).toMatchObject({ kind: 'ended' });
  expect(await history(log, run)).toContainEqual(
    expect.objectContaining({
      type: 'tool.completed',
      payload: expect.objectContaining({ output: 'it had happened' }),
    }),
  );
});
