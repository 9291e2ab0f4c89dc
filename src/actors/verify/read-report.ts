import type { TestReport } from '../../../machines/events.ts';
import { readJsonReport } from './json-report.ts';
import { readJunitReport } from './junit-report.ts';
import { readTapReport } from './tap-report.ts';

// oxlint-disable-next-line no-control-regex
const COLOUR = /\x1B\[[\d;]*m/g;
const READERS = [readJsonReport, readJunitReport, readTapReport];

/**
 * The report in a text, recognised by what it says. Of several forms the one with most failed tests counts, and then
 * the one with most tests. Null: the text reports no single tests.
 *
 * @example
 * readReport('TAP version 14\nok 1 - adds\n1..1\n'); // {format: 'tap', passed: 1, failed: 0, …}
 */
export function readReport(text: string): TestReport | null {
  const plain = plainReport(text);
  return gravest(READERS.map((read) => read(plain)));
}

/** Without colours, and without the mark that some systems write at the beginning. */
export const plainReport = (text: string): string => text.replace(/^\uFEFF/, '').replace(COLOUR, '');

/** Of several reports on the same check the one that counts: no failure is ever covered by a better report. */
export function gravest(reports: readonly (TestReport | null)[]): TestReport | null {
  const [first = null] = reports
    .filter((report) => report !== null)
    .toSorted((one, other) => other.failed - one.failed || testsOf(other) - testsOf(one));
  return first;
}

const testsOf = ({ passed, failed, skipped }: TestReport): number => passed + failed + skipped;
