import { CommandOutput } from '../../../src/actors/command-output.ts';
import { readReport } from '../../../src/actors/verify/read-report.ts';
import { normalisedError } from '../../../src/detectors/error-identity.ts';
import { outcomeOf } from '../../../src/detectors/outcome-digest.ts';
import { withoutVolatile } from '../../../src/detectors/result-identity.ts';
import { readCtest } from '../../../src/evidence/ctest-output.ts';
import { readGoOutput } from '../../../src/evidence/go-output.ts';
import { readLibtest } from '../../../src/evidence/libtest-output.ts';
import { crashLine } from '../../../src/evidence/run-crash.ts';
import { summaryCounts } from '../../../src/evidence/summary-counts.ts';
import { readTeamcity } from '../../../src/evidence/teamcity-output.ts';
import { readVerbose } from '../../../src/evidence/verbose-output.ts';
import { logErrors } from '../../../src/loops/improvement/discovery/log-errors.ts';
import { printedFindings } from '../../../src/loops/improvement/discovery/finding-lines.ts';
import { namedInOutput } from '../../../src/strategies/names-in-output.ts';
import type { Reader } from './reader.ts';

/** The excerpt of an output that a command prints in two pieces. */
function excerpt(text: string): unknown {
  const output = new CommandOutput(16_384, null);
  output.add(text);
  output.add(`${text}\n`);
  return output.end();
}

/** Readers of what commands and test runners print. */
export const OUTPUT_READERS: readonly Reader[] = [
  ['CommandOutput', excerpt],
  ['CommandOutput, of titles', (text) => excerpt(text.replaceAll('\u001B', '\u001B]0;t'))],
  ['readReport, of TAP', (text) => readReport(`TAP version 13\n1..1\nnot ok 1 - ${text}\n  ---\n  ${text}\n  ...\n`)],
  ['readReport, of JUnit', (text) => readReport(`<testsuite><testcase name="a"><failure>${text}</failure>`)],
  ['readReport, of anything', readReport],
  ['readVerbose', readVerbose],
  ['readVerbose, of a test', (text) => readVerbose(`a.py::b ${text} PASSED\n`.repeat(2))],
  ['readGoOutput', (text) => readGoOutput(`=== RUN   TestA\n${text}`, [])],
  ['readLibtest', (text) => readLibtest(`running 1 test\ntest a ... ${text}`)],
  ['readCtest', (text) => readCtest(`1/1 Test #1: a ...${text}`)],
  ['readTeamcity', (text) => readTeamcity(`##teamcity[testStarted name='${text}']`, [])],
  ['summaryCounts', summaryCounts],
  ['crashLine', crashLine],
  ['namedInOutput', (text) => namedInOutput(`✖ a ${text}`)],
  ['outcomeOf', (text) => outcomeOf(`FAIL ${text}\nnot ok 1 ${text}`)],
  ['normalisedError', normalisedError],
  ['withoutVolatile', withoutVolatile],
  ['logErrors', (text) => logErrors(`error: ${text}`, 'a.log')],
  ['printedFindings', (text) => printedFindings(`a.ts\n  1:1  error  ${text}`)],
];
