import type { UncountedTest } from './test-list.ts';

/** One way in which runners print a test in a line of its own. */
export interface VerboseStyle {
  readonly name: string;
  /** Has the groups `name` and `how`, and maybe `file`. */
  readonly line: RegExp;
}

const HOW =
  'ok|OK|pass(?:ed)?|PASS(?:ED)?|Passed|fail(?:ed)?|FAIL(?:ED)?|Failed|error|ERROR|skip(?:ped)?|SKIP(?:PED)?|Skipped|' +
  'ignored|XFAIL|XPASS';

/** In each a line names one test, whole. What says no result in the line of its test is not read. */
export const VERBOSE_STYLES: readonly VerboseStyle[] = [
  {
    name: 'pytest',
    line: /^(?<file>\S+?)::(?<name>\S.*?) (?<how>PASSED|FAILED|SKIPPED|ERROR|XFAIL|XPASS)\b.*\[ *\d+%\]$/,
  },
  { name: 'googletest', line: /^\[ +(?<how>OK|FAILED|SKIPPED) +\] (?<name>\S+?\.\S+?)(?:, where .*)? \(\d+ ms\)$/ },
  { name: 'minitest', line: /^(?<name>\S.*?#\S.*?) = \d+\.\d+ s = (?<how>[.FES])$/ },
  {
    name: 'meson',
    line: new RegExp(
      String.raw`^ *\d+\/\d+ (?<name>\S.*?) +(?<how>OK|FAIL|SKIP|ERROR|TIMEOUT|EXPECTEDFAIL|UNEXPECTEDPASS) +\d+\.\d+s\b`,
    ),
  },
  { name: 'swift', line: /^Test Case '(?<name>[^']+)' (?<how>passed|failed|skipped) \(/ },
  {
    name: 'end',
    line: new RegExp(
      String.raw`^(?<name>\S.*?) ?(?:\.{3,}|…) ?(?<how>${HOW}|expected failure|unexpected success)(?: [('\[].*)?$`,
    ),
  },
  { name: 'mark', line: /^ *(?<how>[✓✔√✗✘✕✖❌✅↩∅☢]) +(?<name>\S.*)$/ },
  { name: 'start', line: new RegExp(String.raw`^ *[(\[]?(?<how>${HOW})[)\]]?:? +(?<name>[^\s(=:].*)$`) },
];

const PASSED = /^(?:ok|pass(?:ed)?|expectedfail|[.✓✔√✅])$/i;
const SKIPPED = /^(?:skip(?:ped)?|ignored|xfail|expected failure|[S↩∅☢])$/i;
/** How long a test took is another number each time. */
const DURATION = /\s+[([]?(?:<? ?\d+(?:[.,]\d+)? ?(?:ms|s|sec|m|µs|ns))+[)\]]?$/;
const DURATION_BEFORE = /^[([] *\d+(?:[.,]\d+)? ?(?:ms|s)[)\]] +/;
/** So many tests lie in a file that a runner names in their place. */
const CONTENT = /\s+\(\d+ tests?\b[^)]*\)$/;
/** No runner prints a longer line for a test. */
const MAX_CHARS = 1_000;

/** Reads a line as a test in one style. Null: it names no test. */
export function verboseTest({ line }: VerboseStyle, text: string): UncountedTest | null {
  if (text.length > MAX_CHARS) return null;
  const { file = null, name = '', how = '' } = line.exec(text.trimEnd())?.groups ?? {};
  const own = name.replace(DURATION_BEFORE, '').replace(DURATION, '').replace(CONTENT, '').trim();
  return own === '' ? null : { file, name: own, result: resultOf(how) };
}

function resultOf(how: string): UncountedTest['result'] {
  if (PASSED.test(how)) return 'passed';
  return SKIPPED.test(how) ? 'skipped' : 'failed';
}
