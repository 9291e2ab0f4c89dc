import { filter, firstValueFrom } from 'rxjs';
import { describe, expect, test, vi } from 'vitest';
import { createHarness } from '../support/harness.ts';
import { history } from '../support/run-history.ts';
import { heldTools, settled } from '../support/stand-ins.ts';

/** A loop whose attempt, which has no grace, runs a tool that does not stop until it is let go. */
async function working({ tools, free } = heldTools()) {
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

/** Holds the first call alone: others have their result at once. */
function heldOnce(): ReturnType<typeof heldTools> {
  const { tools, free } = heldTools();
  let calls = 0;
  const execute: ReturnType<typeof tools>['execute'] = async function* (...asked) {
    calls += 1;
    if (calls === 1) yield* tools().execute(...asked);
    else yield { type: 'tool.completed', payload: { callId: '0.0', output: 'at once' } };
  };
  return { tools: () => ({ ...tools(), execute }), free };
}

test('R4 a continued loop goes on after an attempt when what it had left before it was aborted is over', async () => {
  const { harness, abort, done, run, free } = await working(heldOnce());
  await abort('no more');
  await done;
  // When it is continued, and its next attempt has ended
  const { done: doneAgain, observer } = await harness.extend(run);
  await vi.waitFor(async () => expect((await harness.log.runs()).map(({ closed }) => closed)).toContain('success'));
  await settled();
  // Then the end of that attempt counts when the tool has ended
  expect(observer.of('child.settled')).toEqual([]);
  free();
  expect((await observer.until('child.settled')).payload).not.toHaveProperty('unfinished');
  await doneAgain;
});

const QUESTION = { calls: [{ tool: 'ask_user', arguments: { question: 'Which?' } }] };

describe('R4 a pause tells what the run has left at work when it left this process before', () => {
  /** A run without a grace that was paused or aborted while a tool did not stop, and then waits for an answer. */
  async function waitingAfter(how: 'pause' | 'abort', isAtWork: boolean) {
    const { tools, free } = heldTools('once');
    const answers = [{ calls: [{ tool: 'finish' }] }, QUESTION, QUESTION];
    const harness = createHarness({ services: { tools }, model: { answers } });
    const live = await harness.start({ loop: 'turn', tools: ['finish', 'ask_user'], graceMs: 0 });
    await live.observer.untilDelta(({ text }) => text === 'at work');
    await (how === 'pause' ? live.pause('user') : live.abort('no more'));
    await live.done;
    if (!isAtWork) free();
    await settled();
    const again = how === 'pause' ? await harness.resume(live.run) : await harness.extend(live.run);
    await firstValueFrom(again.waiting.pipe(filter((isWaiting) => isWaiting)));
    return { harness, again, free };
  }

  test.each([
    ['pause', true],
    ['pause', false],
    ['abort', true],
    ['abort', false],
  ] as const)('R4 after %s, with its tool at work still: %s', async (how, isAtWork) => {
    const { harness, again, free } = await waitingAfter(how, isAtWork);
    await again.pause('waiting');
    await again.done;
    const pause = (await history(harness.log, again.run)).findLast(({ type }) => type === 'run.paused');
    expect(pause?.payload).toEqual({ by: 'waiting', ...(isAtWork && { unfinished: true }) });
    free();
  });

  test('R4 a call that must not be repeated is interrupted by the pause that could not stop it', async () => {
    const { harness, again, free } = await waitingAfter('pause', false);
    const [lost] = (await history(harness.log, again.run)).filter(({ type }) => type === 'tool.interrupted');
    expect(lost?.payload).toMatchObject({
      reason: expect.stringContaining('the run was paused, and has been resumed'),
    });
    await again.abort();
    await again.done;
    free();
  });

  test('R4 also a pause of a run that is hindered from working again', async () => {
    const { tools, free } = heldTools('once');
    let isHindered = false;
    const hindrance = () =>
      isHindered ? ({ type: 'warning.raised', payload: { code: 'damaged', message: 'mend it' } } as const) : null;
    const harness = createHarness({
      services: { tools },
      model: { answers: [{ calls: [{ tool: 'finish' }] }] },
      aroundHandlers: (make) => (run, settings, loop) => ({ ...make(run, settings, loop), hindrance }),
    });
    const live = await harness.start({ loop: 'turn', graceMs: 0 });
    await live.observer.untilDelta(({ text }) => text === 'at work');
    await live.pause('user');
    await live.done;
    isHindered = true;
    await (
      await harness.resume(live.run)
    ).done;
    const pauses = (await history(harness.log, live.run)).filter(({ type }) => type === 'run.paused');
    expect(pauses.at(-1)?.payload).toEqual({ by: 'waiting', unfinished: true });
    free();
  });
});
