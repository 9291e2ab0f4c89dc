import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Content, repository, temporaryFolder } from '../git/repository.ts';

const lines = (...all: readonly string[]): string => `${all.join('\n')}\n`;

const TESTS = [
  "import { test } from 'node:test';",
  "import assert from 'node:assert';",
  "import { sum } from '../src/sum.js';",
  "test('adds', () => assert.equal(sum(1, 2), 3));",
];
const SKIPPED = "('adds nothing', () => assert.equal(sum(0, 0), 0));";

/** A project whose checks pass. */
const FILES: Readonly<Record<string, Content>> = {
  '.gitignore': lines('node_modules', '.loopfold'),
  'package.json': lines('{"type": "module"}'),
  'src/sum.js': lines('export const sum = (a, b) => a + b;'),
  'test/sum.test.js': lines(...TESTS),
};

export const WITH_SKIPPED = { 'test/sum.test.js': lines(...TESTS, `test.skip${SKIPPED}`) };

/**
 * Plans a test for the first of its titles. Does what each finding asks for whose title has the words. Of any other one
 * it says that it is done.
 */
const MODEL = `const WORK = ${JSON.stringify([
  ['one number', 'src/sum.js', lines('export const sum = (a, b = 0) => a + b;')],
  ['adds nothing', 'test/sum.test.js', lines(...TESTS, `test${SKIPPED}`)],
])};
const TEST = ${JSON.stringify(lines(...TESTS.slice(0, 3), "test('adds one', () => assert.equal(sum(1), 1));"))};
const PLAN = 'Give b a default.\\n\\nTest: test/one.test.js\\n\`\`\`js\\n' + TEST + '\`\`\`\\n';
export default ({ messages, tools }) => {
  const [first] = messages.filter(({ role }) => role === 'user');
  if (tools.length === 0) return { text: first.text.includes('one number') ? PLAN : 'No test shows it.' };
  const title = /one respect: (.*)/.exec(first?.text ?? '')?.[1] ?? '';
  const work = WORK.find(([words]) => title.includes(words));
  if (!work || messages.some(({ role }) => role === 'assistant')) return { text: 'Done.' };
  return { text: 'I see.', calls: [{ tool: 'write', arguments: { path: work[1], content: work[2] } }] };
};
`;

/** A repository to improve, with a model for it, and the words and surroundings of a command that begins a night. */
export async function improvable(more: Readonly<Record<string, Content>> = {}) {
  const repo = await repository({ ...FILES, ...more });
  await repo.commit();
  const beside = await temporaryFolder();
  const model = join(beside, 'model.mjs');
  await writeFile(model, MODEL);
  const env = { PATH: `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}` };
  return { ...repo, beside, how: { cwd: repo.root, env }, words: ['-m', `script:${model}`, '--verify', 'node --test'] };
}
