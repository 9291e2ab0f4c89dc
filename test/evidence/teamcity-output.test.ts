import { expect, test } from 'vitest';
import { readTeamcity } from '../../src/evidence/teamcity-output.ts';

const ODD = `testAdds with data set "it|'s |[odd|] ||"`;
const said = (kind: string, name: string, more = '') =>
  `\n##teamcity[${kind} name='${name}'${more === '' ? '' : ` ${more}`} flowId='7']\n`;
const placed = (kind: string, name: string) =>
  said(kind, name, String.raw`locationHint='php_qn:///here/tests/SumsTest.php::\Sums\SumsTest::${name}'`);
const group = String.raw`Sums\SumsTest`;
/** As PHPUnit 9.6 wrote it, with a data set, a test that asserts nothing, and one that is left out. */
const LOG = [
  "\n##teamcity[testCount count='4' flowId='7']\n",
  said('testSuiteStarted', '/here/tests'),
  said('testSuiteStarted', group, String.raw`locationHint='php_qn:///here/tests/SumsTest.php::\Sums\SumsTest'`),
  placed('testSuiteStarted', 'testAdds'),
  placed('testStarted', ODD),
  said(
    'testFailed',
    ODD,
    "message='Failed asserting that -1 is identical to 3.' details=' SumsTest.php:6|n ' duration='1'",
  ),
  said('testFinished', ODD, "duration='1'"),
  said('testSuiteFinished', 'testAdds'),
  placed('testStarted', 'testKeeps'),
  said('testFinished', 'testKeeps', "duration='0'"),
  placed('testStarted', 'testRounds'),
  said('testIgnored', 'testRounds', "message='later' details=' SumsTest.php:9|n ' duration='0'"),
  said('testFinished', 'testRounds', "duration='0'"),
  placed('testStarted', 'testRisky'),
  said('testFailed', 'testRisky', "message='This test did not perform any assertions|n' details=' ' duration='0'"),
  said('testFinished', 'testRisky', "duration='0'"),
  said('testSuiteFinished', group),
  said('testSuiteFinished', '/here/tests'),
].join('');
const named = (text: string) => readTeamcity(text, ['/here']).tests.map(({ name, result }) => `${name}: ${result}`);

test('V17 PHPUnit names the file and the class of each test; one that only asserts nothing counts as skipped', () => {
  const { tests, complete } = readTeamcity(LOG, ['/here']);
  expect({ ...tests[0], complete }).toEqual({
    file: 'tests/SumsTest.php',
    name: String.raw`Sums\SumsTest > testAdds with data set "it's [odd] |"`,
    occurrence: 1,
    result: 'failed',
    message: 'Failed asserting that -1 is identical to 3.',
    complete: true,
  });
  expect(named(LOG).slice(1)).toEqual([
    String.raw`Sums\SumsTest > testKeeps: passed`,
    String.raw`Sums\SumsTest > testRounds: skipped`,
    String.raw`Sums\SumsTest > testRisky: skipped`,
  ]);
});

test('V17 a log of PHPUnit that is cut is not whole, and a test that has begun and not ended has failed', () => {
  const within = LOG.slice(0, LOG.indexOf("\n##teamcity[testFinished name='testKeeps'"));
  expect(readTeamcity(within, ['/here']).complete).toBe(false);
  expect(named(within).at(-1)).toBe(String.raw`Sums\SumsTest > testKeeps: failed`);
  const between = LOG.slice(0, LOG.lastIndexOf('##teamcity[testSuiteFinished'));
  expect(readTeamcity(between, ['/here'])).toMatchObject({ complete: false, tests: { length: 4 } });
  expect(readTeamcity('', ['/here'])).toEqual({ tests: [], complete: false });
});

test('V17 two tests of PHPUnit that are named alike are numbered', () => {
  const twice = LOG.replaceAll('testRounds', 'testKeeps');
  expect(readTeamcity(twice, ['/here']).tests.map(({ occurrence }) => occurrence)).toEqual([1, 1, 2, 1]);
});
