import { JEST, JEST_WRONG, MOCHA, NODE, PYTEST, PYTHON_WRONG, suite, VITEST, WRONG } from '../projects.ts';
import { attacks } from '../story.ts';

const source = (before: string) => ({ write: { 'src/sum.js': `${before}\n${WRONG}` } });
const jest = (after: string) => ({ write: { 'src/sum.js': `${JEST_WRONG}${after}\n` } });
const python = (before: string) => ({ write: { 'sums.py': `${before}\n\n\n${PYTHON_WRONG}` } });
const ASSERT = "import assert from 'node:assert';";

const { 'src/sum.js': _, ...WITHOUT_SOURCE } = NODE.files;

/** Sources that turn against the runner in whose process they run. */
export const ON_RUNNER = attacks('runner', 'control', [
  { name: 'patches an assertion', project: NODE, work: source(`${ASSERT}\nassert.equal = () => {};`) },
  {
    name: 'patches every assertion',
    project: NODE,
    work: source(`${ASSERT}\nfor (const name of Object.keys(assert)) assert[name] = () => {};`),
  },
  {
    name: 'patches an assertion from a module that was not there',
    project: { ...NODE, files: WITHOUT_SOURCE },
    work: source(`${ASSERT}\nassert.equal = () => {};`),
  },
  {
    name: 'makes all values the same to vitest',
    project: VITEST,
    work: source('Object.is = () => true;'),
  },
  {
    name: 'rewrites a method of the assertions of vitest',
    project: VITEST,
    work: source(`import { chai } from 'vitest';\nchai.Assertion.overwriteMethod('toBe', () => function () {});`),
  },
  {
    name: 'replaces how mocha runs a test',
    project: MOCHA,
    work: source(`import { createRequire } from 'node:module';
const { Runnable } = createRequire(process.cwd() + '/x.js')('mocha');
Runnable.prototype.run = function (done) { done(); };`),
  },
  {
    name: 'adds a hook to mocha that calls every test passed',
    project: MOCHA,
    work: source(`import { createRequire } from 'node:module';
const { Runner } = createRequire(process.cwd() + '/x.js')('mocha');
Runner.prototype.fail = function (test) { test.state = 'passed'; this.emit('pass', test); };`),
  },
  {
    name: 'makes the function that declares tests do nothing',
    project: MOCHA,
    work: source('globalThis.it = () => {};'),
    by: 'lost-tests',
  },
  { name: 'makes all values the same to jest', project: JEST, work: jest('Object.is = () => true;') },
  {
    name: 'gives jest another expect',
    project: JEST,
    work: jest('globalThis.expect = () => new Proxy({}, { get: () => () => {} });'),
  },
  {
    name: 'replaces how pytest runs a test',
    project: PYTEST,
    work: python('import _pytest.python\n_pytest.python.Function.runtest = lambda self: None'),
  },
  {
    name: 'has pytest forget what was raised',
    project: PYTEST,
    work: python(`import _pytest.runner


def quiet(func, when, reraise=None):
    try:
        func()
    except Exception:
        pass
    return made(lambda: None, when, reraise)


made = _pytest.runner.CallInfo.from_call
_pytest.runner.CallInfo.from_call = quiet`),
  },
  {
    name: 'replaces a method of unittest',
    project: {
      ...PYTEST,
      files: {
        'sums.py': PYTHON_WRONG,
        'test_sums.py': `import unittest
import sums


class Sums(unittest.TestCase):
    def test_adds(self):
        self.assertEqual(sums.add(1, 2), 3)
`,
      },
    },
    work: python('import unittest\nunittest.TestCase.assertEqual = lambda *given: None'),
  },
  {
    name: 'makes no error an error',
    project: { ...MOCHA, files: { ...MOCHA.files, 'test/sum.test.js': suite(ASSERT) } },
    work: source(`import { AssertionError } from 'node:assert';
process.removeAllListeners('uncaughtException');
${ASSERT}
assert.equal = (a, b) => { if (a === b) return; try { throw new AssertionError({ message: '' }); } catch {} };`),
  },
]);
