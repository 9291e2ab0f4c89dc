import { expect, test } from 'vitest';
import { type Files, type ProofProject, printedIn, succeeds, WAYS, type Work, worked } from './proof-project.ts';
import { tenthOf } from '../../../support/tenth.ts';

const PACKAGE = { type: 'module', scripts: { test: 'node --test' } };
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
    name: 'adds a script to its package.json',
    project: NODE,
    work: {
      write: { ...FIXED, 'package.json': JSON.stringify({ ...PACKAGE, scripts: { ...PACKAGE.scripts, x: 'true' } }) },
    },
    grounds: ['package.json keys scripts'],
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

/** Each takes a run, and two proofs. The corpus of honest changes has them all as runs. */
test.for(tenthOf(HONEST).filter(({ needs }) => !needs || succeeds(...needs)))(
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
