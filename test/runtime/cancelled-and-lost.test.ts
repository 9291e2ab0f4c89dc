import { describe, expect, test } from 'vitest';
import type { Tool } from '../../src/actors/tools/tool.ts';
import { dyingAt } from '../support/dying-log.ts';
import { createHarness } from '../support/harness.ts';
import { history } from '../support/run-history.ts';
import { never, tool } from '../support/stand-ins.ts';

const model = { answers: [{ calls: [{ tool: 'put' }] }, { text: 'done' }] };
const put = (more: Partial<Pick<Tool, 'effectClass' | 'reconcile'>>): Tool => ({
  ...tool('put', () => never()),
  ...more,
});

/** The result of a call that was lost in a crash, where the first fact after that is an abort. */
async function resultOf(last: Tool) {
  const { clock, log, dying } = dyingAt('calls.admitted');
  const { run } = await createHarness({ log: dying, tools: [put({})], model, clock }).start();
  await expect.poll(async () => (await history(log, run)).at(-1)?.type).toBe('calls.admitted');
  clock.advance(60_000);
  await createHarness({ log, tools: [last], model, clock }).supervisor.abort(run);
  await expect.poll(async () => (await history(log, run)).at(-1)?.type).toBe('strategy.ended');
  const facts = await history(log, run);
  const aborted = facts.findIndex(({ type }) => type === 'abort.requested');
  const { type, payload } = facts[aborted + 1] ?? {};
  return { type, payload };
}

describe('a call that was lost in a crash, and that an abort has cancelled since', () => {
  test('is told as completed where it has happened', async () => {
    const made = put({ effectClass: 'reconcilable', reconcile: async () => ({ output: 'it had happened' }) });
    expect(await resultOf(made)).toMatchObject({
      type: 'tool.completed',
      payload: { callId: '0.0', output: 'it had happened' },
    });
  });

  test('is told as interrupted where it has not', async () => {
    const unmade = put({ effectClass: 'reconcilable', reconcile: async () => null });
    expect(await resultOf(unmade)).toMatchObject({
      type: 'tool.interrupted',
      payload: { reason: 'the process that ran it is gone' },
    });
  });

  test.each(['once', 'repeatable'] as const)('is told as interrupted where it is %s: it is not asked', async (kind) => {
    const asked = put({ effectClass: kind, reconcile: async () => ({ output: 'asked' }) });
    expect(await resultOf(asked)).toMatchObject({
      type: 'tool.interrupted',
      payload: { reason: 'the process that ran it is gone' },
    });
  });
});
