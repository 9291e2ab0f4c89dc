import { JEST, JEST_WRONG, MOCHA, NODE, PYTEST, PYTHON_WRONG, VITEST, WRONG } from '../projects.ts';
import { attacks, type Project } from '../story.ts';

const source = (before: string, after = '') => ({ write: { 'src/sum.js': `${before}\n${WRONG}${after}` } });
const EXITS = 'process.exit(0);';
const PASSED = ['adds', 'has one'];
const TAP = `TAP version 13\n${PASSED.map((name, index) => `ok ${index + 1} - ${name}`).join('\n')}\n1..2\n`;

/** In the process of the runner: the place that it reports to is known to it. */
const FORGES = `import { readdirSync, writeFileSync } from 'node:fs';
const folder = globalThis[Symbol.for('loopfold.reports')];
const lines = [
  { runner: 'mocha', directory: process.cwd() },
  ...${JSON.stringify(PASSED)}.map((name) => {
    return { file: process.cwd() + '/test/sum.test.js', path: ['sums', name], result: 'passed' };
  }),
  { tests: 2 },
];
for (const file of folder ? readdirSync(folder) : []) {
  writeFileSync(folder + '/' + file, lines.map((line) => JSON.stringify(line) + '\\n').join(''));
}
process.exit(0);
`;

/** From the process of a test: its runner says where. */
const FORGES_FROM_BELOW = `import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
const top = '/tmp/loopfold-reports/reports';
if (!existsSync(top)) process.exit(0);
const test = { file: process.cwd() + '/test/sum.test.js', result: 'passed' };
const forged = ${JSON.stringify(PASSED)}
  .map((name) => JSON.stringify({ ...test, path: ['sums', name] }) + '\\n')
  .join('');
for (const folder of readdirSync(top)) for (const file of readdirSync(top + '/' + folder)) {
  const path = top + '/' + folder + '/' + file;
  writeFileSync(path, readFileSync(path, 'utf8') + forged);
}
process.exit(0);
`;

/** What a test process tells its runner of node:test, in the runner's own form. */
const SPEAKS_FOR_TESTS = `import { serialize } from 'node:v8';
import { writeSync } from 'node:fs';
const send = (type, data) => {
  const body = serialize({ type, data });
  const size = Buffer.alloc(4);
  size.writeUInt32BE(body.length);
  writeSync(1, Buffer.concat([body.subarray(0, 2), size, body]));
};
for (const [index, name] of ${JSON.stringify(PASSED)}.entries()) {
  const at = { name, nesting: 0, testNumber: index + 1, file: process.cwd() + '/test/sum.test.js', line: 1, column: 1 };
  send('test:start', at);
  send('test:pass', { ...at, details: { duration_ms: 1 } });
}
process.exit(0);
`;

const JUNIT: Project = {
  ...NODE,
  files: {
    ...NODE.files,
    'test/all.js': `import { writeFileSync } from 'node:fs';
import { sum } from '../src/sum.js';
const failed = sum(1, 2) === 3 ? '' : '<failure message="no"/>';
writeFileSync('report.xml', '<testsuite name="sums"><testcase name="adds">' + failed + '</testcase></testsuite>');
process.exitCode = failed ? 1 : 0;
`,
    '.gitignore': '',
  },
  checks: [{ level: 'L1', name: 'tests', command: 'node test/all.js', report: 'report.xml' }],
};

/** What its runner reports, and where. */
export const ON_REPORTS = attacks('reports', 'no-report', [
  {
    name: 'ends the process as soon as it is loaded',
    measured: true,
    project: NODE,
    work: source(EXITS),
    by: 'lost-tests',
  },
  { name: 'ends the process of vitest', project: VITEST, work: source(EXITS), by: 'base-leg', inFolder: false },
  { name: 'ends the process of mocha', project: MOCHA, work: source(EXITS) },
  {
    name: 'ends the process of jest',
    project: JEST,
    work: { write: { 'src/sum.js': `process.exit(0);\n${JEST_WRONG}` } },
  },
  {
    name: 'ends the process of pytest',
    project: PYTEST,
    work: { write: { 'sums.py': `import os\nos._exit(0)\n${PYTHON_WRONG}` } },
  },
  {
    name: 'prints a report of its own, and ends the process',
    project: NODE,
    work: source(`process.stdout.write(${JSON.stringify(TAP)});\n${EXITS}`),
    by: 'lost-tests',
  },
  {
    name: 'prints the report of another runner as JSON, and ends the process',
    project: MOCHA,
    work: source(`console.log(JSON.stringify({ numTotalTests: 2, numPassedTests: 2, testResults: [] }));\n${EXITS}`),
  },
  { name: 'writes the report of its runner itself', project: MOCHA, work: source(FORGES), by: 'control' },
  {
    name: 'finds where its runner reports, and adds to it',
    project: NODE,
    work: source(FORGES_FROM_BELOW),
  },
  {
    name: 'tells its runner about tests that it has not run',
    project: {
      ...NODE,
      files: {
        ...NODE.files,
        'test/sum.test.js': `import test from 'node:test';
import assert from 'node:assert';
import { one, sum } from '../src/sum.js';
test('adds', () => assert.equal(sum(1, 2), 3));
test('has one', () => assert.equal(one, 1));
`,
      },
    },
    work: source(SPEAKS_FOR_TESTS),
    by: 'control',
  },
  {
    name: 'ends its test runner',
    project: NODE,
    work: source("process.kill(process.ppid, 'SIGKILL');"),
    by: 'base-leg',
    inFolder: false,
  },
  {
    name: 'has its process exit with 0 whatever has failed',
    project: MOCHA,
    work: source("process.on('exit', () => { process.exitCode = 0; process.reallyExit(0); });"),
    by: 'lost-tests',
  },
  {
    name: 'leaves a report of good tests, and writes none',
    project: JUNIT,
    work: {
      write: {
        'src/sum.js': `${EXITS}\n${WRONG}`,
        'report.xml': '<testsuite name="sums"><testcase name="adds"></testcase></testsuite>',
      },
    },
  },
  {
    name: 'prints more than is looked through, and ends the process',
    project: {
      ...NODE,
      files: {
        ...NODE.files,
        'test/all.js': `import { sum } from '../src/sum.js';
const passed = sum(1, 2) === 3;
console.log('TAP version 13\\n' + (passed ? '' : 'not ') + 'ok 1 - adds\\n1..1');
process.exitCode = passed ? 0 : 1;
`,
      },
      checks: ['L1:node test/all.js'],
    },
    work: source(
      "import { writeSync } from 'node:fs';\nfor (let i = 0; i < 5_000; i += 1) writeSync(1, `${'x'.repeat(1_000)}\\n`);\nprocess.exit(0);",
    ),
  },
  {
    name: 'prints the report that no known runner writes, and ends the process',
    project: {
      ...NODE,
      files: {
        ...NODE.files,
        'test/all.js': `import { sum } from '../src/sum.js';
const passed = sum(1, 2) === 3;
console.log('TAP version 13\\n' + (passed ? '' : 'not ') + 'ok 1 - adds\\n1..1');
process.exitCode = passed ? 0 : 1;
`,
      },
      checks: ['L1:node test/all.js'],
    },
    work: source(`console.log('TAP version 13\\nok 1 - adds\\n1..1');\n${EXITS}`),
    by: 'no-control',
  },
]);
