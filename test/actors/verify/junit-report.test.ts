import { describe, expect, test } from 'vitest';
import { readJunitReport } from '../../../src/actors/verify/junit-report.ts';
import { pytestXml } from './reports.ts';

const inSuite = (inner: string) => `<testsuite name="sums">${inner}</testsuite>`;
const failure = '<failure message="no"/>';
const names = (xml: string) => readJunitReport(xml)?.failing.map(({ name }) => name);

test('L16 failures and errors fail, and what is skipped does not; entities and CDATA are text', () => {
  const message =
    'assert 1 == 3\n  +  where 1 = sub(2, 1)\ndef test_subtracts():\n>       assert sub(2, 1) == 3\n' +
    'E       assert 1 == 3\n\ntests/test_sums.py:7: AssertionError';
  expect(readJunitReport(pytestXml)).toEqual({
    format: 'junit',
    passed: 1,
    failed: 2,
    skipped: 1,
    failing: [
      { name: 'pytest > tests.test_sums.TestSums > test_subtracts[2-<1>]', message },
      { name: 'pytest > tests.test_sums > test_roots', message: 'failed on setup\nno <database> & no luck' },
    ],
  });
});

describe('L16 a test is named by its suites, its class and its name, each once', () => {
  const named = (classname: string) =>
    names(
      inSuite(
        `<testsuite name="of two"><testcase classname="${classname}" name="adds">${failure}</testcase></testsuite>`,
      ),
    );

  test.each(['', 'of two', 'sums.of two', 'sums of two', 'adds'])('L16 class %j is nothing new', (classname) =>
    expect(named(classname)).toEqual(['sums > of two > adds']),
  );

  test('L16 another class is', () => expect(named('Sums')).toEqual(['sums > of two > Sums > adds']));

  test('L16 tests of one name are counted, those that pass too, so that each keeps its name', () => {
    const of = (...passed: boolean[]) =>
      names(inSuite(passed.map((one) => `<testcase name="adds">${one ? '' : failure}</testcase>`).join('')));
    expect(of(false, false, false)).toEqual(['sums > adds', 'sums > adds (2)', 'sums > adds (3)']);
    expect(of(true, false, true)).toEqual(['sums > adds (2)']);
  });
});

describe('L16 what fails', () => {
  test.each([
    [
      'a skipped test that fails all the same',
      '<testcase name="it"><skipped/><error message="no"/></testcase>',
      ['sums > it'],
    ],
    ['not one still to be done', '<testcase name="it"><skipped type="todo"/><failure message="no"/></testcase>', []],
    ['a suite that could not be set up', '<error message="no">why</error><testcase name="it"/>', ['sums']],
    ['not a test that failed at first only', '<testcase name="it"><flakyFailure message="no"/></testcase>', []],
    ['a test that failed twice, once', `<testcase name="it">${failure}${failure}</testcase>`, ['sums > it']],
  ])('L16 %s', (_what, inner, failing) => expect(names(inSuite(inner))).toEqual(failing));

  test('L16 a suite that gives only its numbers', () => {
    expect(
      readJunitReport('<testsuites><testsuite name="sums" tests="9" failures="2" errors="1"/></testsuites>'),
    ).toMatchObject({
      failed: 1,
      failing: [{ name: 'sums', message: '3 of its tests failed' }],
    });
  });
});

describe('L16 where a report stands', () => {
  const whole = readJunitReport(pytestXml);

  test.each([
    ['between other lines', `> pytest\n${pytestXml}\nFAILED <2> & more\n`],
    ['as a suite alone', /<testsuite .*<\/testsuite>/s.exec(pytestXml)?.[0] ?? ''],
    ['behind a document type', pytestXml.replace('?>', '?>\n<!DOCTYPE testsuites SYSTEM "file:///etc/passwd">\n')],
    ['with a byte that XML forbids', pytestXml.replace('test_adds', 'test\u001B_adds')],
  ])('L16 %s it is found', (_where, text) => expect(readJunitReport(text)).toEqual(whole));

  test('L16 several are one, whatever stands between them', () => {
    const other = inSuite(`<testcase name="adds">${failure}</testcase>`);
    expect(names(`${other}\n</testsuite> & <b>\n  ${other}\n`)).toEqual(['sums > adds', 'sums > adds (2)']);
  });

  test.each(['', '<html/>', 'see <testsuites>', '<testsuitesx/>'])('L16 %j is not a report', (text) =>
    expect(readJunitReport(text)).toBeNull(),
  );

  test('L16 one without tests is one', () =>
    expect(readJunitReport('<testsuites></testsuites>')).toMatchObject({ passed: 0, failed: 0, skipped: 0 }));
});

describe('L16 a damaged report is believed only where it shows a failure', () => {
  const green = inSuite('<testcase name="a"/><testcase name="b"/>');
  const red = inSuite(`<testcase name="a">${failure}</testcase><testcase name="b"/>`);

  test.each([
    ['cut off', green.slice(0, -5), red.slice(0, -30)],
    [
      'with an undefined entity',
      green.replace('<testcase name="b"', '&bomb;$&'),
      red.replace('<testcase name="b"', '&bomb;$&'),
    ],
  ])('L16 %s', (_how, green, red) => {
    expect(readJunitReport(green)).toBeNull();
    expect(names(red)).toEqual(['sums > a']);
  });
});

test.each([
  '<testsuites failures="2"><testsuite name="a"><testcase name="x"/></testsuite></testsuites>',
  '<testsuite name="a" errors="1"><testcase name="x"/></testsuite>',
])('L16 failures that are counted and not shown are failures: %s', (document) =>
  expect(readJunitReport(document)).toMatchObject({ passed: 1, failed: 1 }),
);
