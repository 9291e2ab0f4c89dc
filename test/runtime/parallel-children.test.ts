import { describe, expect, test } from 'vitest';
import { addSpend, NO_SPEND } from '../../machines/outcome.ts';
import { accountOf } from '../../src/app/views/account-of.ts';
import { shippedLoops } from '../../src/loops/index.ts';
import { readSummary } from '../../src/projections/read-summary.ts';
import { freezeState } from '../../src/kernel/fold.ts';
import { rebuild } from '../../src/runtime/load-run.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { byTask, delegating, delegateCall, settledIn, firstly } from '../support/delegation.ts';
import { createHarness } from '../support/harness.ts';
import { testInTurn } from '../support/in-turn.ts';
import { ended, history } from '../support/run-history.ts';
import { never, note, tool, untilStopped } from '../support/stand-ins.ts';

const FIFTY = Array.from({ length: 50 }, (_, index) => `part ${index}`);

describe('50 parallel children', () => {
  const CAP = 250_000;
  const harness = () =>
    createHarness({
      tools: [note],
      model: (request) => {
        if (request.messages[0]?.role === 'user' && request.messages[0].text === 'Do it.')
          return firstly({ calls: FIFTY.map((task) => delegateCall(task)) })(request);
        return {
          calls: [{ tool: 'note', arguments: { step: request.step } }],
          usage: { inputTokens: 1_000, outputTokens: 400 },
        };
      },
    });

  testInTurn('spend at most what their parent has, each its share, and the parent is the sum', async () => {
    const { log, play } = harness();
    const limits = { maxTokens: CAP, maxToolCalls: 2_000, maxSteps: 200 };
    const { run, spend, facts } = await play({ ...delegating, ...limits, detectors: ['off'] });
    const children = settledIn(facts);
    expect(children).toHaveLength(50);
    expect(spend.inputTokens + spend.outputTokens).toBeLessThanOrEqual(CAP);
    expect(spend.inputTokens + spend.outputTokens).toBeGreaterThan(CAP / 2);
    for (const child of children)
      expect(child.spend.inputTokens + child.spend.outputTokens).toBeLessThanOrEqual(Math.floor((CAP - 110) / 51));
    const own = { ...NO_SPEND, inputTokens: 200, outputTokens: 20, steps: 2, toolCalls: 50 };
    expect(spend).toEqual(children.reduce((sum, child) => addSpend(sum, child.spend), own));
    const replayed = await rebuild(log, run);
    if (replayed.kind !== 'loaded') throw new Error(replayed.kind);
    expect(freezeState(replayed.state)).toMatchObject({
      snapshot: { context: { spend, pending: {} }, value: 'success' },
    });
  });

  testInTurn.each([
    ['steps', { maxSteps: 120 }, 120],
    ['toolCalls', { maxToolCalls: 160 }, 160],
  ] as const)('%s too: all of them together stay under the cap of their parent', async (unit, limits, cap) => {
    const { spend, facts } = await harness().play({
      ...delegating,
      maxTokens: 'none',
      maxToolCalls: 2_000,
      maxSteps: 200,
      ...limits,
    });
    expect(settledIn(facts)).toHaveLength(50);
    expect(spend[unit]).toBeLessThanOrEqual(cap);
    expect(spend[unit]).toBeGreaterThan(cap / 2);
  });
});

describe('children under way', () => {
  const begun = async (more: Partial<Parameters<typeof createHarness>[0]> = {}) => {
    const model = byTask({
      'Do it.': firstly({ calls: [delegateCall('quick'), delegateCall('one'), delegateCall('two')] }),
      one: firstly({ calls: [{ tool: 'slow' }] }),
      two: firstly({ calls: [{ tool: 'slow' }] }),
    });
    const harness = createHarness({
      tools: [untilStopped('slow', () => Promise.reject(new Error('cut')))],
      model,
      ...more,
    });
    const live = await harness.start({ ...delegating, maxTokens: 3_000, graceMs: 8_000 });
    const heard = new Set<string>();
    await live.observer.untilDelta(({ text, run }) => text === 'slow' && heard.add(run).size === 2);
    await live.observer.until('child.settled');
    return { harness, live, model };
  };

  test('are paused and resumed with their parent, none of them twice', async () => {
    const {
      harness: { log },
      live,
      model,
    } = await begun();
    await live.pause('user');
    expect(await live.done).toEqual({ kind: 'paused' });
    const second = createHarness({ log, tools: [{ ...note, name: 'slow' }], model });
    const { outcome, spend } = await ended(await second.resume(live.run));
    expect(outcome.ending).toBe('success');
    expect(await log.runs()).toHaveLength(4);
    expect(
      settledIn(await history(log, live.run))
        .map(({ callId, answer }) => [callId, answer])
        .toSorted(),
    ).toEqual([
      ['0.0', 'quick: done'],
      ['0.1', 'all done'],
      ['0.2', 'all done'],
    ]);
    expect(spend).toEqual({ inputTokens: 700, outputTokens: 70, steps: 7, toolCalls: 5 });
  });

  test('are told first when their parent is aborted, and what they have used is kept', async () => {
    const { live, harness } = await begun();
    await live.abort('enough');
    const { outcome, spend } = await ended(live);
    expect(outcome).toEqual({ ending: 'abort', cause: 'user', fault: null });
    expect(spend).toEqual({ inputTokens: 400, outputTokens: 40, steps: 4, toolCalls: 5 });
    const endings = live.observer
      .of('decision.made', ({ payload }) => payload.sink !== undefined)
      .map(({ run }) => run);
    expect(endings).toHaveLength(4);
    expect(endings.at(-1)).toBe(live.run);
    expect((await harness.log.runs()).map(({ closed }) => closed)).not.toContain(null);
  });

  test('one that a person aborts is a failed call, and the others go on', async () => {
    const { live, harness } = await begun();
    const child = (await harness.log.runs()).find((one) => one.closed === null && one.run !== live.run)?.run ?? '';
    await harness.supervisor.send(child, { type: 'abort.requested', payload: { cause: 'user', reason: null } });
    const settled = await live.observer.until('child.settled', ({ payload }) => payload.child === child);
    expect(settled.payload.outcome).toMatchObject({ ending: 'abort', cause: 'user' });
    expect((await harness.log.run(live.run))?.closed).toBeNull();
    await live.abort();
    await ended(live);
  });

  testInTurn('one that never says what it has used costs its whole share, once, wherever that is read', async () => {
    const clock = fakeClock();
    const {
      live,
      harness: { log },
    } = await begun({
      clock,
      tools: [tool('slow', async (_input, { delta }) => (delta('slow'), never()), { timeoutMs: 1e9 })],
    });
    const shares = live.observer.of('calls.admitted')[0]?.payload.run.map(({ share }) => share?.tokens ?? 0) ?? [];
    await live.abort();
    clock.advance(8_000);
    const { spend } = await ended(live);
    const quick = 110;
    expect(spend.inputTokens + spend.outputTokens).toBe(110 + quick + (shares[1] ?? 0) + (shares[2] ?? 0));
    expect(spend.estimatedTokens).toBe((shares[1] ?? 0) + (shares[2] ?? 0));
    const summary = await readSummary(log, live.run, shippedLoops);
    const account = await accountOf(log, live.run, summary ?? { iterations: [], handedOver: [] }, shippedLoops);
    expect([summary?.spend, account.spend]).toEqual([spend, spend]);
    expect(account.phases.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(spend.inputTokens + spend.outputTokens);
  });
});
