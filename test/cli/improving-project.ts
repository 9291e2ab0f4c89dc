import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Content, repository, temporaryFolder } from '../actors/workspace/repository.ts';

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

/** Does what each finding asks for whose title has the words. Of any other one it says that it is done. */
const MODEL = `const WORK = ${JSON.stringify([
  ['README', 'README.md', '# Sums\n'],
  ['adds nothing', 'test/sum.test.js', lines(...TESTS, `test${SKIPPED}`)],
])};
export default ({ messages }) => {
  const [first] = messages.filter(({ role }) => role === 'user');
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
