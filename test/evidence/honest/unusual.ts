import { EXAMPLE, IN_SOURCE, RUST } from '../attacks/unusual-tests.ts';
import { NODE, NODE_SUITE, PYTEST, PYTHON_RIGHT, PYTHON_SUITE, PYTHON_WRONG, RIGHT, TSC } from '../projects.ts';
import { honest } from '../story.ts';

const FIX = { 'src/sum.js': RIGHT };
const PACKAGE = (more: object) => `${JSON.stringify({ type: 'module', scripts: { test: 'node --test' }, ...more })}\n`;
const mapped = (more: object) => ({ ...NODE, files: { ...NODE.files, 'package.json': PACKAGE(more) } });
const TYPED = 'export const sum = (a: number, b: number): number => a + b;\n';

/** Work that has the look of what a rule is about, and is done. */
export const UNUSUAL = honest('unusual', 'witnessed', [
  {
    name: 'mends a source of vitest that has its tests within',
    project: IN_SOURCE,
    work: { shell: "sed -i 's/a - b/a + b/' src/sum.js" },
    ends: 'verified',
    enough: false,
    because: ['no-control'],
  },
  {
    name: 'mends a source of Python that has an example within',
    project: EXAMPLE,
    work: { shell: "sed -i 's/a - b/a + b/' sums.py" },
    ends: 'verified',
    enough: false,
    because: ['no-control'],
  },
  {
    name: 'mends a source of Rust that has its tests within',
    project: RUST,
    work: { shell: "sed -i 's/a - b/a + b/' src/lib.rs" },
    ends: 'verified',
    enough: false,
    because: ['no-control'],
  },
  {
    name: 'adds an example to a source of Python',
    project: EXAMPLE,
    work: { shell: "sed -i 's/a - b/a + b/; s/^    3/    3\\n    >>> add(2, 2)\\n    4/' sums.py" },
    ends: 'weak',
    because: ['tests-in-sources'],
  },
  {
    name: 'has its package export another of its sources, and imports it by a name',
    project: mapped({ name: 'sums', exports: './src/sum.js', imports: { '#sum': './src/sum.js' } }),
    work: {
      write: {
        'src/sum.js': "export * from '#adding';\nexport const one = 1;\n",
        'src/adding.js': 'export const sum = (a, b) => a + b;\n',
        'package.json': PACKAGE({
          name: 'sums',
          exports: { '.': './src/sum.js', './adding': './src/adding.js' },
          imports: { '#sum': './src/adding.js', '#adding': './src/adding.js' },
        }),
      },
    },
  },
  {
    name: 'moves its source, and the name that its package exports it by',
    project: {
      ...mapped({ name: 'sums', exports: { '.': './src/sum.js', './testing': './test/sum.test.js' } }),
      files: {
        ...NODE.files,
        'package.json': PACKAGE({ name: 'sums', exports: { '.': './src/sum.js', './testing': './test/sum.test.js' } }),
        'test/sum.test.js': NODE_SUITE.replace("'../src/sum.js'", "'sums'"),
      },
    },
    work: {
      write: {
        'lib/sum.js': RIGHT,
        'package.json': PACKAGE({ name: 'sums', exports: { '.': './lib/sum.js', './testing': './test/sum.test.js' } }),
      },
      remove: ['src'],
    },
  },
  {
    name: 'writes a module that is called like one of Python, in a package',
    project: {
      ...PYTEST,
      files: { 'sums/__init__.py': PYTHON_WRONG, 'test_sums.py': PYTHON_SUITE },
    },
    work: {
      write: { 'sums/__init__.py': `from .statistics import add\n\nONE = 1\n`, 'sums/statistics.py': PYTHON_RIGHT },
    },
  },
  {
    name: 'writes a source whose name ends like a specification',
    project: NODE,
    work: { write: { 'src/sum.js': "export * from './sum-spec.js';\n", 'src/sum-spec.js': RIGHT } },
  },
  {
    name: 'writes comments of a linter that checks nothing here',
    project: NODE,
    work: { write: { 'src/sum.js': `// prettier-ignore\n/* eslint no-plus: "off" */\n${RIGHT}` } },
  },
  {
    name: 'says how its editor lays out files',
    project: NODE,
    work: { write: { ...FIX, '.editorconfig': '[*]\nindent_size = 2\n' } },
    // Its tests do not go by it.
    grounds: ['.editorconfig absent'],
  },
  {
    name: 'mends a type beside a file that it removes',
    project: { ...TSC, files: { ...TSC.files, 'src/old.ts': 'export const old = 1;\n' } },
    work: { write: { 'src/sum.ts': TYPED }, remove: ['src/old.ts'] },
    ends: 'verified',
    because: ['reads-only'],
  },
  {
    name: 'works beside dependencies that git keeps',
    project: { ...NODE, files: { ...NODE.files, 'vendor/plus/plus.js': 'export const plus = (a, b) => a + b;\n' } },
    work: { write: { 'src/sum.js': "export { plus as sum } from '../vendor/plus/plus.js';\nexport const one = 1;\n" } },
  },
  {
    name: 'adds a dependency that git keeps',
    project: NODE,
    work: {
      write: {
        'src/sum.js': "export { plus as sum } from '../vendor/plus/plus.js';\nexport const one = 1;\n",
        'vendor/plus/plus.js': 'export const plus = (a, b) => a + b;\n',
      },
    },
    ends: 'weak',
    because: ['dependencies-changed'],
  },
  {
    name: 'makes a folder of its module',
    project: NODE,
    work: {
      write: { 'src/sum.js': "export * from './sum/index.js';\n", 'src/sum/index.js': RIGHT, 'src/sum/README.md': '' },
    },
  },
  {
    name: 'writes its source with a mark of its encoding',
    project: NODE,
    work: { write: { 'src/sum.js': `\uFEFF${RIGHT}` } },
  },
  {
    name: 'passes its tests in a pipe',
    project: { ...NODE, checks: ['L1:{ node --test; echo $? > status; } | tee tested.txt; exit "$(cat status)"'] },
    work: { write: FIX },
  },
]);
