import type { Files } from '../../app/start/scratch-repository.ts';

/** Splitting a bill: short, and easy to get wrong twice. */
export const BROKEN = `export function split(cents, people) {
  return Array(people).fill(Math.round(cents / people));
}
`;

/** How the test begins that fails first. */
export const FAILING = `test('the shares add up to the bill'`;

const TESTS = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { split } from '../src/split.js';

const sum = (shares) => shares.reduce((total, share) => total + share, 0);

test('an even bill is split evenly', () => {
  assert.deepEqual(split(9000, 3), [3000, 3000, 3000]);
});

${FAILING}, () => {
  assert.equal(sum(split(1000, 3)), 1000);
  assert.equal(sum(split(2000, 3)), 2000);
});

test('no share is more than a cent above another', () => {
  const shares = split(2000, 3);
  const gap = Math.max(...shares) - Math.min(...shares);
  assert.ok(gap <= 1, \`\${shares} is \${gap} cents apart\`);
});
`;

const MANIFEST = { name: 'split-bill', private: true, type: 'module', scripts: { test: 'node --test' } };

export const PROJECT: Files = {
  'package.json': `${JSON.stringify(MANIFEST, null, 2)}\n`,
  'README.md': '# split-bill\n\nSplits a bill, in cents, among people.\n',
  'src/split.js': BROKEN,
  'test/split.test.js': TESTS,
};

export const TASK = 'The tests fail: splitting a bill loses cents. Fix src/split.js, and leave the tests alone.';

export const CHECKS = ['L0:node --check src/split.js', 'L1:node --test'];
