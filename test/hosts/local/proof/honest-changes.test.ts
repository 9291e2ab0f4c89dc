import { expect, test } from 'vitest';
import { type Files, type ProofProject, printedIn, succeeds, WAYS, type Work, worked } from './proof-project.ts';

const PACKAGE = { type: 'module', scripts: { test: 'node --test' } };
const SNAPSHOT_TEST = `import test from 'node:test';
import assert from 'node:assert';
import { readFileSync } from 'node:fs';
import { sum } from '../src/sum.js';
test('as in the snapshot', () => {
  assert.equal(String(sum(2, 2)), readFileSync(new URL('./__snapshots__/sum.snap', import.meta.url), 'utf8'));
});
`;
const test_ = (name: string, sums: string, more = '') => `import test from 'node:test';
import assert from 'node:assert';
import { sum } from '../src/sum.js';
${more}test('${name}', () => assert.equal(${sums}));
`;
const FIXED: Files = { 'src/sum.js': 'export const sum = (a, b) => a + b;\n' };
const NODE: ProofProject = {
  files: {
    'package.json': JSON.stringify(PACKAGE),
    'src/sum.js': 'export const sum = (a, b) => a - b;\n',
    'test/sum.test.js': test_('adds', 'sum(1, 2), 3'),
  },
  checks: ['L1:node --test'],
};
const PYTEST: ProofProject = {
  files: {
    'value.py': 'VALUE = "wrong"\n',
    'test_value.py': 'import value\n\n\ndef test_value():\n    assert value.VALUE == "right"\n',
  },
  // The plugins that happen to be installed take twice the time of pytest itself.
  checks: ['L1:PYTEST_DISABLE_PLUGIN_AUTOLOAD=1 python3 -m pytest -q -p no:cacheprovider'],
};
const NESTED: ProofProject = {
  files: { 'pkg/check.sh': '. ../lib/name.sh\n[ "$name" = right ]\n', 'lib/name.sh': 'name=wrong\n' },
  checks: ['L0:sh -n pkg/check.sh', 'L1:cd pkg && sh check.sh'],
};

interface Honest {
  readonly name: string;
  readonly project: ProofProject;
  readonly work: Work;
  /** How many legs there are, and which grounds it has changed. */
  readonly grounds: readonly string[];
  readonly needs?: readonly [command: string, ...words: readonly string[]];
}

const HONEST: readonly Honest[] = [
  { name: 'fixes its source', project: NODE, work: { write: FIXED }, grounds: [] },
  {
    name: 'adds a test to a file of tests',
    project: NODE,
    work: {
      write: {
        ...FIXED,
        'test/sum.test.js': `${test_('adds', 'sum(1, 2), 3')}test('more', () => assert.equal(sum(2, 2), 4));\n`,
      },
    },
    grounds: ['test/sum.test.js restored'],
  },
  {
    name: 'adds a helper of tests',
    project: NODE,
    work: {
      write: {
        ...FIXED,
        'test/helper.js': 'export const four = 4;\n',
        'test/four.test.js': test_('four', 'sum(2, 2), four', `import { four } from './helper.js';\n`),
      },
    },
    grounds: ['test/four.test.js absent', 'test/helper.js absent'],
  },
  {
    name: 'adds a snapshot of a new test',
    project: NODE,
    work: { write: { ...FIXED, 'test/snap.test.js': SNAPSHOT_TEST, 'test/__snapshots__/sum.snap': '4' } },
    grounds: ['test/__snapshots__/sum.snap absent', 'test/snap.test.js absent'],
  },
  {
    name: 'adds a dependency to its package.json',
    project: NODE,
    work: { write: { ...FIXED, 'package.json': JSON.stringify({ ...PACKAGE, dependencies: { zod: '4.0.0' } }) } },
    grounds: [],
  },
  {
    name: 'adds a script to its package.json',
    project: NODE,
    work: {
      write: { ...FIXED, 'package.json': JSON.stringify({ ...PACKAGE, scripts: { ...PACKAGE.scripts, x: 'true' } }) },
    },
    grounds: ['package.json keys scripts'],
  },
  {
    name: 'uses an installed dependency',
    project: {
      ...NODE,
      installed: {
        'node_modules/plus/package.json': '{ "name": "plus", "type": "module", "exports": "./plus.js" }',
        'node_modules/plus/plus.js': 'export const plus = (a, b) => a + b;\n',
      },
    },
    work: { write: { 'src/sum.js': `export { plus as sum } from 'plus';\n` } },
    grounds: [],
  },
  {
    name: 'fixes a file beside the folder of the check',
    project: NESTED,
    work: { write: { 'lib/name.sh': 'name=right\n' } },
    grounds: [],
  },
  {
    name: 'fixes a module of Python, with a new fixture',
    project: PYTEST,
    work: { write: { 'value.py': 'VALUE = "right"\n', 'tests/fixture.txt': '' } },
    grounds: ['tests/fixture.txt absent'],
    needs: ['python3', '-m', 'pytest', '--version'],
  },
];

test.for(HONEST.filter(({ needs }) => !needs || succeeds(...needs)))(
  'V2 V3 an agent that $name is proven, behind walls or in a copy',
  async ({ project, work, grounds }) => {
    const { ending, proof } = await worked(project, work);
    expect(ending).toBe('success');
    for (const { options, walls } of WAYS) {
      const found = await proof(options);
      expect({ ...found, printed: printedIn(found) }).toMatchObject({ proven: true, walls: { kind: walls } });
      expect(found.grounds.map(({ path, how, keys = [] }) => [path, how, ...keys].join(' '))).toEqual(grounds);
      expect(found.legs.map(({ leg }) => leg)).toEqual(grounds.length === 0 ? ['base'] : ['base', 'work']);
    }
  },
);
