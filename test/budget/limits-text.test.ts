import { expect, test } from 'vitest';
import { limitsText, shareText } from '../../src/budget/limits-text.ts';

const NONE = { maxIterations: null, maxSteps: null, maxToolCalls: null, maxTokens: null, maxTimeMs: null };

test('the caps that are set, as text', () => {
  const all = { maxIterations: 4, maxSteps: 1, maxToolCalls: 2, maxTokens: 50_000, maxTimeMs: 600_000 };
  expect(limitsText({ ...all, maxCostNanoUsd: 1_500_000_000 })).toBe(
    '4 iterations, 1 step, 2 tool calls, 50,000 tokens, $1.50, 10m',
  );
  expect(limitsText({ ...NONE, maxSteps: 3 })).toBe('3 steps');
  expect(limitsText({ ...NONE, maxTimeMs: 60_000, maxCostNanoUsd: null })).toBe('1m');
  expect(limitsText(NONE)).toBe('');
});

test('what one call may use, as text', () => {
  expect(shareText({ tokens: 1_200, nanoUsd: 20_000_000 })).toBe('1,200 tokens, $0.0200');
  expect(shareText({ tokens: 1_200, nanoUsd: null })).toBe('1,200 tokens');
  expect(shareText({ tokens: null, nanoUsd: 20_000_000 })).toBe('$0.0200');
  expect(shareText({ tokens: null, nanoUsd: null })).toBe('nothing');
});
