import type { ModelRequest } from '../../src/actors/model/model.ts';
import type { ScriptedAnswer } from '../../src/actors/model/script.ts';

/** What each call uses. Each kind has a number of its own: a sum in which one is missing is another one. */
const PLANNING = { inputTokens: 411, outputTokens: 61 };
const WORKING = { inputTokens: 1_207, outputTokens: 93 };
const ENDING = { inputTokens: 1_409, outputTokens: 17 };

/** It runs again, and tests nothing. */
const HOLLOW = `import { test } from 'node:test';
for (const name of ['adds', 'halves', 'thirds', 'sorts', 'halves nothing']) test(name, () => {});
`;

/** What is written for the finding whose title has these words. */
const WORK: readonly (readonly [words: string, path: string, content: string])[] = [
  ['adds', 'src/sum.js', 'export const sum = (a, b) => a + b;\n'],
  // It is wrong: another test fails then.
  ['thirds', 'src/parts.js', 'export const half = (n) => n / 3;\nexport const third = (n) => half(n);\n'],
  ['label', 'src/label.ts', 'export const label = (count: number): string => `${count}`;\n'],
  ['unique', 'src/unique.js', 'export const unique = (list) => [...new Set(list)];\n'],
  ['halves nothing', 'test/all.test.js', HOLLOW],
  ['sorted', 'src/list.js', 'export const sorted = (list) => [...list].sort((a, b) => a - b);\n'],
];

/** The plan of the comment that asks for something: no test of the project shows it yet. */
const SHOWN_FIRST = `Look, change it, run the tests.

Test: test/sorted.test.js
\`\`\`js
import { test } from 'node:test';
import assert from 'node:assert';
import { sorted } from '../src/list.js';
test('sorted leaves its argument as it is', () => {
  const list = [3, 1, 2];
  sorted(list);
  assert.deepEqual(list, [3, 1, 2]);
});
\`\`\`
`;

/** A scripted agent that mends a repository: mostly right, once wrong, and once it cheats. */
export function answer({ messages }: ModelRequest): ScriptedAnswer {
  const first = messages.find(({ role }) => role === 'user');
  const prompt = first && 'text' in first ? first.text : '';
  const title = /one respect: (.*)/.exec(prompt)?.[1];
  if (title === undefined)
    return { text: prompt.includes('TODO: sorted') ? SHOWN_FIRST : 'Look, change it, run the tests.', usage: PLANNING };
  if (messages.some(({ role }) => role === 'assistant')) return { text: 'Done.', usage: ENDING };
  const work = WORK.find(([words]) => title.includes(words));
  if (!work) throw new Error(`no work is scripted for: ${title}`);
  const [, path, content] = work;
  return { text: 'I see.', usage: WORKING, calls: [{ tool: 'write', arguments: { path, content } }] };
}
