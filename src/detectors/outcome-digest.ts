import { hash } from 'node:crypto';
import { normalisedError } from './error-identity.ts';

/** The end of a long output, where its newest part stands. */
const MAX_READ_CHARS = 20_000;
const MAX_REDS = 50;
const MAX_NAME_CHARS = 200;
const MAX_LINE_CHARS = 500;
const DIGEST_CHARS = 16;

/** A test that failed, with its name. */
const TESTS: readonly RegExp[] = [
  /^not ok \d*\s*-?\s*(.+?)(?:\s+# (?!todo|skip).*)?$/i,
  /^\s*(?:FAIL|FAILED|ERROR|✗|✕|✖|×|●)\s+(.+?)(?:\s+\(?\d+(?:\.\d+)? ?m?s\)?)?$/u,
  /^\s*--- FAIL: (\S+)/,
  /^test (.+?) \.\.\. FAILED$/,
  /^\s*\d+\) (.+)$/,
  /^(.+?) \.\.\. (?:FAIL|ERROR|fail|not ok)$/,
];
/** An error of a compiler, a linter or a program, with its text. A place in a file is no part of it. */
const ERRORS: readonly RegExp[] = [
  /^(.+?)\(\d+,\d+\): (error .+)$/,
  /^(.+?):\d+(?::\d+)?:? (?:- )?((?:fatal )?error\b.+)$/i,
  /^()(error(?:\[\w+\])?: .+)$/,
  /^\s*()((?:[A-Z]\w*\.)*[A-Z]\w*(?:Error|Exception|Warning)(?: \[\w+\])?: .+)$/,
  /^()(Error: .+|panic: .+|fatal: .+|npm error .+|curl: \(\d+\) .+|\w+: command not found)$/i,
];
/** The parser has come as far as that line: where it stops is news. */
const OF_SYNTAX = /syntax|indent|parse|unexpected|expected [:;({[]|TS1\d{3}\b/i;
/** The counts that a runner prints, where it names no test. */
const COUNTS = /\b(\d+) (?:tests? )?(?:failed|failing|failures?|errors?)\b|\bfailed:? (\d+)/i;
const SHOWS_RED = /fail|error|not ok|[✗✕✖×●]|exception|panic|fatal|command not found|curl: \(/iu;

/**
 * A digest of the tests and errors that a result shows as red: what it says of the work, in whatever words. Null: it
 * shows none. Tests count by their names, errors by their texts without places, and beside named tests without numbers:
 * another wrong value is the same red test.
 *
 * @example
 * outcomeOf('FAIL a.test.ts > adds tax\n1 failed') === outcomeOf('FAIL a.test.ts > adds tax\n1 failed (8 ms)'); // true
 */
export function outcomeOf(text: string): string | null {
  const end = text.slice(-MAX_READ_CHARS);
  if (!SHOWS_RED.test(end)) return null;
  const lines = end.split('\n').map((line) => line.slice(0, MAX_LINE_CHARS).trimEnd());
  const tests = namesIn(lines);
  const errors = errorsIn(lines).map((error) => (tests.length > 0 ? error.replace(/\d+/g, 'N') : error));
  const counts = tests.length + errors.length > 0 ? [] : countsIn(lines);
  const reds = [...new Set([...tests, ...errors, ...counts])].toSorted().slice(0, MAX_REDS);
  return reds.length === 0 ? null : hash('sha256', reds.join('\n')).slice(0, DIGEST_CHARS);
}

const namesIn = (lines: readonly string[]): readonly string[] =>
  lines.flatMap((line) => {
    for (const pattern of TESTS) {
      const [, name] = pattern.exec(line) ?? [];
      if (name !== undefined) return [`test ${name.slice(0, MAX_NAME_CHARS)}`];
    }
    return [];
  });

const errorsIn = (lines: readonly string[]): readonly string[] =>
  lines.flatMap((line) => {
    for (const pattern of ERRORS) {
      const [whole, file, text] = pattern.exec(line) ?? [];
      if (text === undefined) continue;
      return [`error ${file} ${OF_SYNTAX.test(text) ? whole : normalisedError(text)}`];
    }
    return [];
  });

const countsIn = (lines: readonly string[]): readonly string[] =>
  lines.flatMap((line) => {
    const [, before, after] = COUNTS.exec(line) ?? [];
    const many = before ?? after;
    return many === undefined || many === '0' ? [] : [`failed ${many}`];
  });
