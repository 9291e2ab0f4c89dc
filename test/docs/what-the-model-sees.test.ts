import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { root } from '../repository/tool.ts';
import { conversationPage, PAGE, type RecordedConversation, recordedConversation } from './what-the-model-sees.ts';

let recorded: RecordedConversation;
beforeAll(async () => {
  recorded = await recordedConversation();
});

test('G3 the first prompt has the task, the checks, and by name what fails before any work', () => {
  const [first] = recorded.prompts;
  expect(first).toMatch(/^Prices with a discount are wrong\.[^]*\n- L1 `node --test /);
  expect(first).toMatch(/2 of 3 tests failed:\n- test\/price\.test\.js > rounds half a cent down: /);
  expect(first).toContain('> never goes below zero: ');
});

test('G3 the second has what the first attempt said and changed, and the one test that still fails', () => {
  const [, second] = recorded.prompts;
  expect(second).toContain('The attempt before said at its end:\nFixed: `total` rounds down');
  expect(second).toMatch(/\n\+export const total = .*Math\.floor/);
  expect(second).toMatch(/1 of 3 tests failed:\n- test\/price\.test\.js > never goes below zero: /);
});

test('G1 G3 the guide shows this very conversation (if not: npm run docs)', () => {
  expect(recorded.ending).toBe('success');
  expect(readFileSync(join(root, PAGE), 'utf8')).toBe(conversationPage(recorded));
});
