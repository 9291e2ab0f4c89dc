import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Doubt } from '../../../../src/evidence/proof-verdict.ts';
import { root } from '../../../repository/tool.ts';
import { type Files, HAS_WALLS, type ProofProject, WITHOUT_WALLS, worked } from './proof-project.ts';
import { tenthOf } from '../../../support/tenth.ts';

const SOURCE = (sum: string) => `export const sum = (a, b) => a ${sum} b;\nexport const one = 1;\n`;
const SUITE = (imports: string) => `${imports}
import assert from 'node:assert';
import { one, sum } from '../src/sum.js';
describe('sums', () => {
  it('adds', () => assert.equal(sum(1, 2), 3));
  it('has one', () => assert.equal(one, 1));
});
`;
const NODE_SUITE = SUITE("import { describe, it } from 'node:test';");
const project = (check: string, suite: string, more: Files = {}): ProofProject => ({
  files: { 'package.json': '{ "type": "module" }', 'src/sum.js': SOURCE('-'), 'test/sum.test.js': suite, ...more },
  checks: [{ level: 'L1', name: 'tests', command: check }],
});
const NODE = project('node --test', NODE_SUITE);
const EXITS = { write: { 'src/sum.js': `${SOURCE('-')}process.exit(0);\n` } };

describe.for([
  { where: 'behind walls', skipped: !HAS_WALLS, options: {} },
  { where: 'in a copy', skipped: false, options: WITHOUT_WALLS },
])('V4 $where', ({ skipped, options }) => {
  test.skipIf(skipped)('V4 a proof names the tests that turned green, that stay so, and that are new', async () => {
    const more = NODE_SUITE.replace("it('adds'", "it('adds more', () => assert.equal(sum(2, 2), 4));\n  it('adds'");
    const { proof } = await worked(NODE, {
      write: { 'src/sum.js': SOURCE('+'), 'test/sum.test.js': more, 'test/new.test.js': more },
    });
    expect(await proof(options)).toMatchObject({
      proven: true,
      start: { leg: 'start', passed: false },
      tests: [
        {
          check: 'tests',
          turned: [{ file: 'test/sum.test.js', name: 'sums > adds' }],
          kept: 1,
          fresh: [
            { file: 'test/new.test.js', name: 'sums > adds more' },
            { file: 'test/new.test.js', name: 'sums > adds' },
            { file: 'test/new.test.js', name: 'sums > has one' },
            { file: 'test/sum.test.js', name: 'sums > adds more' },
          ],
          stillRed: [],
          lost: [],
        },
      ],
    });
  });

  test.skipIf(skipped)('V4 an agent whose source ends the process is not proven though its checks pass', async () => {
    const { ending, proof } = await worked(NODE, EXITS);
    expect(ending).toBe('success');
    expect(await proof(options)).toMatchObject({
      doubts: ['lost-tests'],
      legs: [{ passed: true }],
      tests: [
        {
          zero: true,
          stillRed: [{ test: { name: 'sums > adds' }, how: 'gone' }],
          lost: [{ test: { name: 'sums > has one' }, how: 'gone' }],
        },
      ],
    });
  });
});

/** Links to what this repository has installed, without its other programs. */
const LINKED = (name: string, entry: string) =>
  `mkdir -p node_modules/.bin; ln -s '${join(root, 'node_modules', name)}' node_modules/; ln -s '../${name}/${entry}' 'node_modules/.bin/${name}'`;
const JEST_SUITE = `const { sum } = require('../src/sum.js');\ntest('adds', () => expect(sum(1, 2)).toBe(3));\n`;
const JEST = { 'package.json': '{}', 'src/sum.js': 'exports.sum = (a, b) => a - b;\n' };

const CHEATS: readonly (readonly [name: string, given: ProofProject, link: string | null, doubts: readonly Doubt[]])[] =
  [
    ['node:test as a program', project('node test/sum.test.js', NODE_SUITE), null, ['no-report']],
    [
      'mocha',
      project('node_modules/.bin/mocha', SUITE('')),
      LINKED('mocha', 'bin/mocha.js'),
      ['lost-tests', 'no-report'],
    ],
    [
      'vitest',
      project('node_modules/.bin/vitest run', SUITE("import { describe, it } from 'vitest';")),
      LINKED('vitest', 'vitest.mjs'),
      ['base-leg', 'lost-tests'],
    ],
    [
      'jest',
      project('node_modules/.bin/jest', JEST_SUITE, JEST),
      LINKED('jest', 'bin/jest.js'),
      ['lost-tests', 'no-report'],
    ],
  ];
const isInstalled = (name: string) => !['jest', 'mocha'].includes(name) || existsSync(join(root, 'node_modules', name));

test.for(tenthOf(CHEATS).filter(([name]) => isInstalled(name)))(
  'V4 %s: a source that ends the process is no proof',
  async ([, given, link, doubts]) => {
    const { write } = EXITS;
    const ending =
      given.files['package.json'] === '{}' ? `${JEST['src/sum.js']}process.exit(0);\n` : write['src/sum.js'];
    const { proof } = await worked(given, { write: { 'src/sum.js': ending }, ...(link ? { shell: link } : {}) });
    expect(await proof({ ...WITHOUT_WALLS, trustsDependencies: true })).toMatchObject({ proven: false, doubts });
  },
);
