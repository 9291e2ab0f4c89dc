import { expect, test, vi } from 'vitest';
import { createHarness } from '../support/harness.ts';
import { history } from '../support/run-history.ts';
import { heldTools, settled } from '../support/stand-ins.ts';

/** A loop whose attempt, which has no grace, runs a tool that does not stop until it is let go. */
async function working() {
  const { tools, free } = heldTools();
  const harness = createHarness({
    services: { tools },
    model: { answers: [{ calls: [{ tool: 'finish' }] }, { text: 'done' }] },
  });
  const live = await harness.start({ loop: 'iteration', checks: ['true'], graceMs: 0 });
  await live.observer.untilDelta(({ text }) => text === 'at work');
  const facts = async () => history(harness.log, live.run);
  const settledFact = async () => (await facts()).find(({ type }) => type === 'child.settled');
  return { ...live, harness, facts, settledFact, free };
}

test('R4 a loop goes on after an attempt when what the attempt could not stop is over', async () => {
  const { harness, done, run, facts, settledFact, free } = await working();
  const child = (await harness.log.runs()).find((record) => record.run !== run)?.run ?? '';
  // When the attempt alone is aborted, and has ended
  await harness.supervisor.abort(child, 'no more');
  await vi.waitFor(async () => expect(await harness.log.run(child)).toMatchObject({ closed: 'abort' }));
  await settled();
  // Then its end counts when the tool has ended
  expect(await settledFact()).toBeUndefined();
  free();
  await done;
  expect(await facts()).toContainEqual(expect.objectContaining({ type: 'child.settled' }));
  expect((await settledFact())?.payload).not.toHaveProperty('unfinished');
});

test('R4 the end of an attempt says when an effect of it has outlived the grace', async () => {
  const { abort, done, settledFact, free } = await working();
  await abort('no more');
  await done;
  expect((await settledFact())?.payload).toMatchObject({ unfinished: true });
  free();
});
