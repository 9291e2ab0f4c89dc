import { expect, test } from 'vitest';
import { reviewed } from '../../docs/examples/own-loop/reviewed.machine.ts';
import type { Life } from '../../machines/life.ts';
import type { Limits } from '../../machines/settings.ts';
import { turnLoop } from '../../src/loops/turn/definition.ts';
import { MIN_ANSWER_TOKENS } from '../../src/budget/allowance.ts';
import { unaffordable, usedBy } from '../../src/judging/affordability.ts';
import { lifeOf, open } from '../../src/kernel/fold.ts';
import { ReviewedEvent } from '../../docs/examples/own-loop/reviewed.events.ts';
import * as has from '../support/facts.ts';

const AT = '2030-01-01T00:00:00.000Z';

function life(limits: Partial<Limits> = {}): Life {
  const started = { ...has.started('iteration', { limits }), at: AT, version: 1 } as const;
  const opened = open({ ...started, payload: { ...started.payload, machine: 'reviewed@1' } }, [
    { id: 'reviewed@1', machine: reviewed, events: ReviewedEvent },
  ]);
  if (opened.kind !== 'opened') throw new Error(opened.kind);
  return lifeOf(opened.state);
}

test('T2 rounds that the cap on steps bounds count as steps, also where no event of the loop spends one', () => {
  const rounds = { ...turnLoop.rounds, count: () => 3, used: () => 3 };
  expect(usedBy(life(), AT, rounds)).toMatchObject({ steps: 3, iterations: 0 });
  expect(usedBy({ ...life(), spend: { ...life().spend, steps: 7 } }, AT, rounds)).toMatchObject({ steps: 7 });
  expect(usedBy(life(), AT, { ...rounds, limit: 'iterations' })).toMatchObject({ steps: 0, iterations: 3 });
});

test('L17 a deadline that has passed counts as the whole time, however early its timer fired', () => {
  const early = { ...life({ maxTimeMs: 5_000 }), deadlinePassed: true };
  const after = (ms: number): string => new Date(Date.parse(AT) + ms).toISOString();
  expect(usedBy(early, after(4_990), turnLoop.rounds).timeMs).toBe(5_000);
  expect(usedBy(early, after(5_010), turnLoop.rounds).timeMs).toBe(5_010);
  expect(usedBy({ ...early, deadlinePassed: false }, after(4_990), turnLoop.rounds).timeMs).toBe(4_990);
});

test('T6 a call without feedback needs room for its input and the shortest answer', () => {
  const least = 100 + MIN_ANSWER_TOKENS;
  const next = { inputTokens: 100, price: null };
  expect(unaffordable(life({ maxTokens: least }), next)).toBeNull();
  const limit = { name: 'tokens', used: 0, limit: least - 1, next: least };
  expect(unaffordable(life({ maxTokens: least - 1 }), next)).toEqual(limit);
});

test('T6 feedback needs room as well, at four characters a token', () => {
  const limited = life({ maxTokens: 100 + MIN_ANSWER_TOKENS });
  const shorter = { inputTokens: 98, price: null };
  expect(unaffordable(limited, shorter, 'x'.repeat(8))).toBeNull();
  expect(unaffordable(limited, shorter, 'x'.repeat(9))).toMatchObject({ next: 101 + MIN_ANSWER_TOKENS });
});

test('what is set aside for the summary is told apart from what was used', () => {
  const kept = (tokens: number, nanoUsd: number): Life => ({ ...life(), reserved: { summary: { tokens, nanoUsd } } });
  expect(usedBy(kept(1, 0), AT, turnLoop.rounds).reserved).toEqual({ tokens: 1, nanoUsd: 0 });
  expect(usedBy(kept(2, 2), AT, turnLoop.rounds).reserved).toEqual({ tokens: 2, nanoUsd: 2 });
  expect(usedBy(kept(0, 0), AT, turnLoop.rounds)).not.toHaveProperty('reserved');
});

test('T6 a call that was refused for its real size names the scarcest limit', () => {
  const fault = { fault: { code: 'budget_exhausted', message: 'no room' }, version: 3 };
  const next = { inputTokens: 100, price: null };
  const tokens = { name: 'tokens', used: 0, limit: 9_000, next: 100 + MIN_ANSWER_TOKENS };
  expect(unaffordable({ ...life({ maxTokens: 9_000 }), fault }, next)).toEqual(tokens);
  const money = { name: 'cost_nano_usd', used: 0, limit: 70, next: 0 };
  expect(unaffordable({ ...life({ maxTokens: null, maxCostNanoUsd: 70 }), fault }, next)).toEqual(money);
});
