import { expect, test } from 'vitest';
import { readTeamcity } from '../../src/evidence/teamcity-output.ts';

const HINT = String.raw`locationHint='php_qn:///here/tests/SumsTest.php::\Sums\SumsTest::`;
/** As PHPUnit 9.6 wrote it, with a test of two data sets, one that asserts nothing, and one that is left out. */
const LOG = String.raw`
##teamcity[testCount count='4' flowId='7']

##teamcity[testSuiteStarted name='/here/tests' flowId='7']

##teamcity[testSuiteStarted name='Sums\SumsTest' ${HINT.slice(0, -2)}' flowId='7']

##teamcity[testSuiteStarted name='testAdds' ${HINT}testAdds' flowId='7']

##teamcity[testStarted name='testAdds with data set "it|'s |[odd|] ||"' ${HINT}testAdds with data set "it|'s |[odd|] ||"' flowId='7']

##teamcity[testFailed name='testAdds with data set "it|'s |[odd|] ||"' message='Failed asserting that -1 is identical to 3.' details=' /here/tests/SumsTest.php:6|n ' duration='1' flowId='7']

##teamcity[testFinished name='testAdds with data set "it|'s |[odd|] ||"' duration='1' flowId='7']

##teamcity[testSuiteFinished name='testAdds' flowId='7']

##teamcity[testStarted name='testKeeps' ${HINT}testKeeps' flowId='7']

##teamcity[testFinished name='testKeeps' duration='0' flowId='7']

##teamcity[testStarted name='testRounds' ${HINT}testRounds' flowId='7']

##teamcity[testIgnored name='testRounds' message='later' details=' /here/tests/SumsTest.php:9|n ' duration='0' flowId='7']

##teamcity[testFinished name='testRounds' duration='0' flowId='7']

##teamcity[testStarted name='testRisky' ${HINT}testRisky' flowId='7']

##teamcity[testFailed name='testRisky' message='This test did not perform any assertions|n' details=' ' duration='0' flowId='7']

##teamcity[testFinished name='testRisky' duration='0' flowId='7']

##teamcity[testSuiteFinished name='Sums\SumsTest' flowId='7']

##teamcity[testSuiteFinished name='/here/tests' flowId='7']
`;
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
