import { expect, test } from 'vitest';
import { readJsonReport } from '../../../src/actors/verify/json-report.ts';
import { readReport } from '../../../src/actors/verify/read-report.ts';
import { fc } from '../../support/fast-check.ts';
import { jestJson } from './reports.ts';

const report = {
  format: 'json',
  passed: 1,
  failed: 2,
  skipped: 2,
  failing: [
    {
      name: '/place/sums.test.js > sums > of two > subtracts',
      message: 'Error: expect(received)\n\nExpected: 3\nReceived: 1',
    },
    { name: '/place/broken.test.js', message: '● Test suite failed to run' },
  ],
};

test('L16 each test is named by file, groups and title; a file that cannot be loaded fails itself', () =>
  expect(readJsonReport(jestJson)).toEqual(report));

test.each([
  ['pretty printed', JSON.stringify(JSON.parse(jestJson), null, 2)],
  ['behind a banner', `\n> sums@1.0.0 test\n> jest --json\n\n${jestJson}`],
  ['before other lines, braces among them', `${jestJson}\nnpm error {"num": 1\n}`],
  ['behind a prefix', `packages/sums test: ${jestJson}\n`],
  ['behind what only looks like one', `{"numTotalTests": "}"}\n${jestJson}`],
])('L16 a report %s is found', (_where, text) => expect(readJsonReport(text)).toEqual(report));

test('L16 several reports, one after the other, are one', () =>
  expect(readJsonReport(`${jestJson}\n${jestJson}`)).toMatchObject({ passed: 2, failed: 4, skipped: 4 }));

test('L16 a report without a test is a report', () =>
  expect(readJsonReport('{"numTotalTests":0,"testResults":[]}')).toMatchObject({ passed: 0, failed: 0, skipped: 0 }));

test.each(['', '{}', 'null', '{"numTotalTests":1}', '[1, 2]', jestJson.slice(0, -1)])(
  'L16 %.20j is no report',
  (text) => expect(readJsonReport(text)).toBeNull(),
);

test('L16 whatever other JSON a test run prints, the report is found', () =>
  fc.assert(
    fc.property(fc.json({ maxDepth: 3 }), fc.json({ maxDepth: 3 }), (before, after) => {
      expect(readJsonReport(`${before}\n${jestJson}\n${after}`)).toEqual(report);
    }),
  ));

test.each([
  ['did not succeed', { success: false, numFailedTests: 0 }],
  ['had failed tests, which it does not name', { success: true, numFailedTests: 2 }],
])('L16 a run that says it %s has failed, whatever its tests say', (_, said) => {
  const assertionResults = [{ ancestorTitles: [], title: 'adds', status: 'passed' }];
  const text = JSON.stringify({
    numTotalTests: 1,
    ...said,
    testResults: [{ name: 'sums.test.js', status: 'passed', assertionResults }],
  });
  expect(readJsonReport(text)).toMatchObject({ passed: 1, failed: 1, failing: [{ name: 'the run as a whole' }] });
});

test('L16 a report behind a byte order mark is read', () => {
  const xml =
    '<?xml version="1.0"?><testsuites><testsuite name="sums"><testcase name="adds"><failure/></testcase></testsuite></testsuites>';
  expect(readReport(`\uFEFF${xml}`)).toMatchObject({ format: 'junit', failed: 1 });
});
