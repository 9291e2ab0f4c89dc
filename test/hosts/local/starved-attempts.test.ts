import { lastValueFrom, toArray } from 'rxjs';
import { expect } from 'vitest';
import type { LoopEvent } from '../../../machines/events.ts';
import type { Model } from '../../../src/actors/model/model.ts';
import type { RunOptions } from '../../../src/config/options.ts';
import { Loops } from '../../../src/hosts/local/local-host.ts';
import { memoryLog } from '../../../src/log/sqlite/engine.ts';
import { repository } from '../../git/repository.ts';
import { testInTurn } from '../../support/in-turn.ts';

// The prompt of an attempt is longer than the task by which its loop expects it, so that it can be too long for what
// is left though the loop goes on: each of these ran up to its cap on iterations.

const PRICE = { inputPerMillion: 10, outputPerMillion: 10, source: 'test' };

function counting() {
  let asked = 0;
  const model: Model = {
    name: 'counting',
    answer: async () => {
      asked += 1;
      return { text: 'Not yet.', usage: { inputTokens: 1_000, outputTokens: 1 } };
    },
    price: async () => PRICE,
  };
  return { loops: new Loops({ log: memoryLog(), model }), asked: () => asked };
}

const RALPH: Partial<RunOptions> = { loop: 'ralph', maxIterations: 5 };
const CHECKED: Partial<RunOptions> = {
  loop: 'iteration',
  checks: [`false ${'x'.repeat(400)}`],
  checkIn: 'workspace',
  maxIterations: 5,
};

testInTurn.each<readonly [string, Partial<RunOptions>, (inputTokens: number) => Partial<RunOptions>]>([
  ['a Ralph loop, tokens', RALPH, (inputTokens) => ({ maxTokens: inputTokens + 60 })],
  ['a Ralph loop, money', RALPH, (inputTokens) => ({ maxCost: (inputTokens + 60) / 100_000 })],
  ['a loop with checks', CHECKED, (inputTokens) => ({ maxTokens: inputTokens + 60 })],
  ['a later attempt', CHECKED, (inputTokens) => ({ maxTokens: 1_001 + inputTokens + 40 })],
])('T12 a loop whose attempt has no room for a request ends by its budget: %s', async (_name, options, capped) => {
  const { root: directory } = await repository({ 'a.txt': 'a' });
  const { loops, asked } = counting();
  const whole = { prompt: 'Fix it.', directory, detectors: ['off'], tools: ['read'], ...options };
  const caps = capped((await loops.preview(whole)).inputTokens ?? 0);

  const run = await loops.start({ ...whole, ...caps });
  const end = await run.done;

  const facts = (await lastValueFrom(loops.events(run.run).pipe(toArray()))) as unknown as readonly LoopEvent[];
  const begun = facts.filter(({ type }) => type === 'iteration.started').length;
  expect(end).toMatchObject({ outcome: { ending: 'budget', limit: { next: expect.any(Number) } } });
  expect(begun).toBeLessThanOrEqual(asked() + 1);
});

testInTurn('T12 such a loop goes on as soon as its budget has room', async () => {
  const { root: directory } = await repository({ 'a.txt': 'a' });
  const { loops, asked } = counting();
  const whole = { prompt: 'Fix it.', directory, detectors: ['off'], tools: ['read'], ...RALPH };
  const inputTokens = (await loops.preview(whole)).inputTokens ?? 0;
  const run = await loops.start({ ...whole, maxTokens: inputTokens + 60 });
  await run.done;
  expect(asked()).toBe(0);

  const extended = await loops.extend(run.run, { maxTokens: 4_000 });
  if (extended.kind !== 'live') throw new Error(extended.kind);
  await extended.live.done;

  expect(asked()).toBeGreaterThan(1);
});
