import { expect, test } from 'vitest';
import { isAnnounced } from '../../../src/actors/model/idle-answer.ts';

const TOOLS = ['write', 'shell'];

test.each([
  'Let me run the tests:',
  'I see the fault in sum.js. Let me now edit the file.',
  'I will now call the write tool to create the file:',
  "Now I'll fix it.",
  'Okay, let me look at the tests first.',
  'I’ll start by reading the code.',
  'Calling the `write` tool',
  '```json\n{"tool":"write","arguments":{"path":"x","content":"y"}}\n```',
  'I write it:\n```\n{ "name": "shell", "arguments": {"command": "ls"} }\n```',
  '<invoke name="write"><parameter name="path">x</parameter></invoke>',
  '<function_calls>\n<invoke name="shell">\n<parameter name="command">ls</parameter>\n</invoke>\n</function_calls>',
  'write(path="x", content="y")',
])('G13 an answer that announces a call and makes none has done nothing: %j', (text) => {
  expect(isAnnounced(text, TOOLS)).toBe(true);
});

test.each([
  'Done.',
  'Done. Let me know if anything is missing.',
  'The sum is right now.',
  'I will not touch the tests.',
  'You can call write(path="x") from your own code, which is documented in the README.',
  'The configuration is\n```json\n{"name": "shop", "version": "1.0.0"}\n```',
  'Its answer:\n```json\n{"status": "ok"}\n```',
  'Let me explain: the loop ended one step early.\n\nIt is mended.',
  'open(path="x")',
  'First the tests, then the docs: both are done.',
])('G13 an answer that says something is one: %j', (text) => {
  expect(isAnnounced(text, TOOLS)).toBe(false);
});

test('G13 a long answer is looked at in a moment', () => {
  const begun = performance.now();
  for (const part of ['<invoke name="write">', '```json\n{"a":', 'write(a="', '. Let me ', 'a.!? '])
    isAnnounced(part.repeat(200_000), TOOLS);
  expect(performance.now() - begun).toBeLessThan(5_000);
});
