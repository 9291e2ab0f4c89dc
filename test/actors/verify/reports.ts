/** Reports as their runners print them, of a suite about sums. */

/** jest, told `--json`: `subtracts` fails, `divides` is skipped, and one file cannot be loaded. */
export const jestJson = JSON.stringify({
  numFailedTestSuites: 2,
  numFailedTests: 1,
  numPassedTests: 1,
  numPendingTests: 1,
  numRuntimeErrorTestSuites: 1,
  numTodoTests: 1,
  numTotalTestSuites: 2,
  numTotalTests: 4,
  success: false,
  testResults: [
    {
      assertionResults: [
        { ancestorTitles: ['sums'], fullName: 'sums adds', status: 'passed', title: 'adds', failureMessages: [] },
        {
          ancestorTitles: ['sums', 'of two'],
          fullName: 'sums of two subtracts',
          status: 'failed',
          title: 'subtracts',
          failureMessages: [
            'Error: \u001B[2mexpect(\u001B[22mreceived\u001B[2m)\u001B[22m\n\nExpected: 3\nReceived: 1',
          ],
        },
        {
          ancestorTitles: ['sums'],
          fullName: 'sums divides',
          status: 'pending',
          title: 'divides',
          failureMessages: [],
        },
        { ancestorTitles: ['sums'], fullName: 'sums roots', status: 'todo', title: 'roots', failureMessages: [] },
      ],
      message: '',
      name: '/place/sums.test.js',
      status: 'failed',
    },
    {
      assertionResults: [],
      message: '  ● Test suite failed to run\n',
      name: '/place/broken.test.js',
      status: 'failed',
    },
  ],
});

/** pytest, told `--junit-xml`: a failure, a failed set-up, an expected failure. */
export const pytestXml = `\
<?xml version="1.0" encoding="utf-8"?><testsuites name="pytest tests"><testsuite name="pytest" errors="1" failures="1" skipped="1" tests="4" time="0.021">\
<testcase classname="tests.test_sums.TestSums" name="test_adds" time="0.001" />\
<testcase classname="tests.test_sums.TestSums" name="test_subtracts[2-&lt;1&gt;]" time="0.001">\
<failure message="assert 1 == 3&#10;  +  where 1 = sub(2, 1)">def test_subtracts():
&gt;       assert sub(2, 1) == 3
E       assert 1 == 3

tests/test_sums.py:7: AssertionError</failure></testcase>\
<testcase classname="tests.test_sums" name="test_divides" time="0.001"><skipped type="pytest.xfail" message="not yet" /></testcase>\
<testcase classname="tests.test_sums" name="test_roots" time="0.001"><error message="failed on setup"><![CDATA[no <database> & no luck]]></error></testcase>\
</testsuite></testsuites>`;

/** What \`prove -v\` prints: subtests, a test that may fail, a skipped one, and prove's own words. */
export const proveTap = `t/sums.t .. 
1..3
ok 1 - adds
# Subtest: of two
    1..2
    ok 1 - in order
    not ok 2 - turned around
not ok 2 - of two
not ok 3 - roots # TODO later
#   Failed (TODO) test 'roots'
Dubious, test returned 1 (wstat 256, 0x100)
Failed 1/3 subtests 
t/parts.t .. 
ok 1 - adds
not ok 2 - same
#   Failed test 'same'
#          got: '1'
#     expected: '2'
ok 3 # skip no time
1..3
Dubious, test returned 1 (wstat 256, 0x100)
Failed 1/3 subtests 
	(less 1 skipped subtest: 1 okay)

Test Summary Report
-------------------
t/sums.t (Wstat: 256 (exited 1) Tests: 3 Failed: 1)
Files=2, Tests=6,  0 wallclock secs ( 0.01 usr  0.00 sys +  0.06 cusr  0.02 csys =  0.09 CPU)
Result: FAIL
`;

/** What vitest prints of a file: subtests in braces, their details indented by four more. */
export const vitestTap = `TAP version 13
1..1
not ok 1 - sums.test.ts # time=10.42ms {
    1..3
    ok 1 - adds # time=1.95ms
    not ok 2 - subtracts # time=6.00ms
        ---
        error:
            name: "AssertionError"
            message: "expected 1 to be 3"
        at: "sums.test.ts:4:39"
        ...
    ok 3 - roots # TODO
}
`;

/** Every runner's report, to be cut off, changed and put between other lines. */
export const REPORTS = [jestJson, pytestXml, proveTap, vitestTap];
