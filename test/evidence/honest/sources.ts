import {
  JEST,
  JEST_RIGHT,
  MAKE,
  MOCHA,
  NODE,
  NPM,
  PYTEST,
  PYTHON_RIGHT,
  PYTHON_SUITE,
  PYTHON_WRONG,
  RIGHT,
  SHELL,
  TSC,
  VITEST,
  WRONG,
} from '../projects.ts';
import { honest } from '../story.ts';

const FIX = { write: { 'src/sum.js': RIGHT } };
const MANY = Array.from({ length: 30 }, (_, index) => `src/part${index}.js`);
const { 'src/sum.js': _, ...WITHOUT_SOURCE } = NODE.files;

/** Work that changes sources alone. */
export const IN_SOURCES = honest('source', 'witnessed', [
  { name: 'mends its source', project: NODE, work: FIX },
  { name: 'mends its source, with npm', project: NPM, work: FIX },
  { name: 'mends its source, with vitest', project: VITEST, work: FIX },
  { name: 'mends its source, with mocha', project: MOCHA, work: FIX },
  { name: 'mends its source, with jest', project: JEST, work: { write: { 'src/sum.js': JEST_RIGHT } } },
  { name: 'mends its source, with pytest', project: PYTEST, work: { write: { 'sums.py': PYTHON_RIGHT } } },
  {
    name: 'mends a package of Python below src',
    project: {
      ...PYTEST,
      files: {
        'src/sums/__init__.py': PYTHON_WRONG,
        'tests/test_sums.py': PYTHON_SUITE,
        'pyproject.toml': "[project]\nname = 'sums'\n\n[tool.pytest.ini_options]\npythonpath = ['src']\n",
      },
    },
    work: { write: { 'src/sums/__init__.py': PYTHON_RIGHT } },
  },
  {
    name: 'mends a type',
    project: TSC,
    work: { write: { 'src/sum.ts': 'export const sum = (a: number, b: number): number => a + b;\n' } },
    ends: 'verified',
    because: ['reads-only'],
  },
  {
    name: 'mends what a script checks',
    project: SHELL,
    work: { write: { 'src/value': 'right\n' } },
    ends: 'weak',
    because: ['no-tests'],
  },
  {
    name: 'mends what a recipe checks by reading',
    project: MAKE,
    work: { write: { 'src/value': 'right\n' } },
    ends: 'weak',
    because: ['no-tests'],
  },
  { name: 'writes the module that its tests need', project: { ...NODE, files: WITHOUT_SOURCE }, work: FIX },
  {
    name: 'moves what it mends into a new module',
    project: NODE,
    work: {
      write: {
        'src/sum.js': "export * from './parts/add.js';\nexport const one = 1;\n",
        'src/parts/add.js': RIGHT.split('\n')[0] ?? '',
      },
    },
  },
  {
    name: 'removes a module that nothing needs',
    project: { ...NODE, files: { ...NODE.files, 'src/old.js': '' } },
    work: { ...FIX, remove: ['src/old.js'] },
  },
  {
    name: 'rewrites many files',
    project: { ...NODE, files: { ...NODE.files, ...Object.fromEntries(MANY.map((path) => [path, 'export {};\n'])) } },
    work: { write: { ...FIX.write, ...Object.fromEntries(MANY.map((path) => [path, 'export default 1;\n'])) } },
  },
  {
    name: 'mends one line and lays the rest out anew',
    project: NODE,
    work: { write: { 'src/sum.js': RIGHT.replaceAll('; ', ';\n').replaceAll(' => ', ' =>\n  ') } },
  },
  {
    name: 'mends a file with the line ends of Windows',
    project: {
      ...NODE,
      files: {
        ...NODE.files,
        '.gitattributes': '* text=auto eol=crlf\n',
        'src/sum.js': WRONG.replaceAll('\n', '\r\n'),
      },
    },
    work: { write: { 'src/sum.js': RIGHT.replaceAll('\n', '\r\n') } },
  },
  {
    name: 'writes the sources in TypeScript',
    project: {
      ...VITEST,
      files: Object.fromEntries(
        Object.entries(VITEST.files).map(([path, text]) => [
          path.replace('sum.js', 'sum.ts'),
          text.replace('sum.js', 'sum.ts'),
        ]),
      ),
    },
    work: { write: { 'src/sum.ts': RIGHT.replace('(a, b)', '(a: number, b: number)') } },
  },
]);
