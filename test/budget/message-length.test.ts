import { expect, test } from 'vitest';
import { charactersOf, charactersOfImages } from '../../src/budget/message-length.ts';

test('the characters of a message are its text, its calls as JSON, and 1,600 tokens for an image', () => {
  expect(charactersOf({ role: 'tool', output: 'four' })).toBe(4);
  expect(charactersOf({ role: 'user', text: 'four' })).toBe(4);
  expect(charactersOf({ role: 'user', text: 'four', images: [{}, {}] })).toBe(4 + 2 * 6_400);
  const calls = [
    { tool: 'read', arguments: { path: 'a' } },
    { tool: 'list', arguments: {} },
  ];
  expect(charactersOf({ role: 'assistant', text: 'four', calls })).toBe(4 + 4 + '{"path":"a"}'.length + 4 + 2);
  expect(charactersOfImages()).toBe(0);
});
