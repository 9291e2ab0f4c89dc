import { expect, test } from 'vitest';
import { createHarness } from '../support/harness.ts';
import { ended, history } from '../support/run-history.ts';
import { note, stopped } from '../support/stand-ins.ts';

/** Aborts a run whose effect of that key stops when it is told to, and says nothing. */
async function abortedWhile(silent: 'model' | 'call.0.0') {
  const atWork = Promise.withResolvers<void>();
  const harness = createHarness({
    tools: [note],
    model: { answers: [{ calls: [{ tool: 'note' }] }] },
    aroundHandlers: (make) => (run, settings, loop) => {
      const handlers = make(run, settings, loop);
      return {
        ...handlers,
        execute: (effect, context) => {
          const execution = handlers.execute(effect, context);
          if (execution.kind === 'child' || effect.key !== silent) return execution;
          return {
            ...execution,
            async *execute(call) {
              atWork.resolve();
              await stopped(call);
              yield* [];
            },
          };
        },
      };
    },
  });
  const live = await harness.start({ maxTokens: 40_000 });
  await atWork.promise;
  await live.abort();
  expect((await ended(live)).outcome).toMatchObject({ ending: 'abort' });
  return history(harness.log, live.run);
}
const reason = 'it was told to stop';

test('a call that stops without a word is recorded as told to stop', async () =>
  expect(await abortedWhile('call.0.0')).toContainEqual(
    expect.objectContaining({ type: 'tool.interrupted', payload: { callId: '0.0', reason } }),
  ));

test('what a model may have used that stops without a word counts as used', async () => {
  const told = (await abortedWhile('model')).find(({ type }) => type === 'model.interrupted');
  expect(told?.payload).toMatchObject({ reason, usage: { estimated: true } });
});
