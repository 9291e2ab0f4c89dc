import { readCtest } from '../../evidence/ctest-output.ts';
import { withCrash } from '../../evidence/run-crash.ts';
import { readLibtest } from '../../evidence/libtest-output.ts';
import { counted, joinedLists, type TestList } from '../../evidence/test-list.ts';
import { testName } from '../../evidence/test-records.ts';
import { readVerbose } from '../../evidence/verbose-output.ts';
import { pathInside } from '../../evidence/workspace-paths.ts';
import { jsonTests } from './json-report.ts';
import { junitTests } from './junit-report.ts';
import { plainReport } from './read-report.ts';
import type { SingleTest } from './single-test.ts';
import { tapTests } from './tap-report.ts';

export interface ListedFrom {
  /** From our modules within the runners. */
  readonly reported: TestList | null;
  /** What the check printed; null where that was too much. */
  readonly printed: string | null;
  /** What it wrote into its own report. */
  readonly written: string | null;
  /** The folder that it ran in. */
  readonly directory: string;
  readonly tops: readonly string[];
}

/** Every test of a check by name. What it prints or writes itself counts where no runner has reported to us. */
export function listedTests({ reported, printed, written, directory, tops }: ListedFrom): TestList | null {
  const rust = printed === null ? null : readLibtest(plainReport(printed));
  const known = joinedLists([reported, rust].filter((list) => list !== null));
  if (known) return known.ended ? { ...known, ended: withCrash(known.ended, printed) } : known;
  const texts = [written, printed].filter((text) => text !== null).map(plainReport);
  const [first = null] = texts.flatMap((text) => inText(text, directory, tops)).toSorted(byWeight);
  return first ?? (printed === null ? null : inLines(plainReport(printed), directory, tops));
}

/** Tests that are printed in no format, but a line each. */
function inLines(text: string, directory: string, tops: readonly string[]): TestList | null {
  const list = readCtest(text) ?? readVerbose(text.replaceAll(`${directory}/`, ''));
  const placed = list?.tests.map(({ file, ...test }) => ({
    ...test,
    file: file === null ? null : pathInside(file, directory, tops),
  }));
  return list && placed ? { ...list, tests: placed } : null;
}

/** The path of a file of JavaScript, as a runner names the group of its tests. */
const FILE = /^[^\s:]+\.[cm]?[jt]sx?$/;

function inText(text: string, directory: string, tops: readonly string[]): readonly TestList[] {
  const nameless = ({ path, ...test }: SingleTest) => ({ ...test, file: null, name: testName(path) });
  // A runner that runs files, such as tap, has them as groups.
  const ofGroups = ({ path, ...test }: SingleTest) => {
    const [first = '', ...rest] = path.filter((part) => part !== '');
    if (!FILE.test(first)) return nameless({ ...test, path });
    return { ...test, file: pathInside(first, directory, tops), name: testName(rest) };
  };
  const ofFile = ({ path: [file = '', ...path], ...test }: SingleTest) => ({
    ...test,
    file: file === '' ? null : pathInside(file, directory, tops),
    name: testName(path),
  });
  const found = [jsonTests(text)?.map(ofFile), junitTests(text)?.map(nameless), tapTests(text)?.map(ofGroups)];
  return found.flatMap((tests) => (tests ? [{ tests: counted(tests), complete: true }] : []));
}

/** No failure is covered by a better report. */
const byWeight = (one: TestList, other: TestList): number =>
  failuresOf(other) - failuresOf(one) || other.tests.length - one.tests.length;

const failuresOf = ({ tests }: TestList): number => tests.filter(({ result }) => result === 'failed').length;
