import { grouped } from '../../text/money.ts';
import type { CheckResult } from '../../../machines/events.ts';
import { isOfProof } from '../../evidence/proof-feedback.ts';
import { head } from '../../text/excerpt.ts';
import { isStackFrame, tellsOfFailure } from '../../text/failure-line.ts';
import { oneLine, plain } from '../../projections/phrases.ts';

const MAX_LINES = 8;
const MAX_LINE_CHARS = 140;
/** What a proof says ends with what to do about it, so that is shown to its end. */
const MAX_PROOF_LINES = 60;
const MAX_FOLDED_CHARS = 100;
/** As many words as fit, or a piece of a word that does not. */
const FOLDED = new RegExp(`\\S.{0,${MAX_FOLDED_CHARS - 1}}(?=\\s|$)|\\S{${MAX_FOLDED_CHARS}}`, 'g');
type Failed = Pick<CheckResult, 'tests' | 'output'> & Partial<Pick<CheckResult, 'name' | 'exitCode'>>;

/** What failed in a check: the tests named in its report, else the lines of its output that name a failure. */
export function failing(check: Failed): readonly string[] {
  const { tests, output } = check;
  if (isOfProof(check)) return foldedLines(output).slice(0, MAX_PROOF_LINES);
  if (!tests || tests.failing.length === 0) return failingLines(output);
  const named = tests.failing.slice(0, MAX_LINES).map(({ name, message }) => {
    const why = message === '' ? '' : `: ${message}`;
    return oneLine(`✗ ${name}${why}`, MAX_LINE_CHARS);
  });
  const more = tests.failed - named.length;
  return more > 0 ? [...named, `… and ${grouped(more)} more`] : named;
}

/** `12 passed, 2 failed, `, if the check has a report of its tests. */
export function testCounts({ tests }: Pick<CheckResult, 'tests'>): string {
  if (!tests) return '';
  const counts = [
    [tests.passed, 'passed'],
    [tests.failed, 'failed'],
    [tests.skipped, 'skipped'],
  ] as const;
  return counts
    .filter(([count]) => count > 0)
    .map(([count, how]) => `${grouped(count)} ${how}, `)
    .join('');
}

/**
 * The lines of a check's output that name a failure, each once and in order; without such lines, the last ones.
 *
 * @example
 * failingLines('✔ adds\n✖ subtracts\nℹ duration_ms 12'); // ['✖ subtracts']
 */
export function failingLines(output: string): readonly string[] {
  const printed = plain(output)
    .split('\n')
    .map((line) => line.trimEnd());
  const lines = printed.filter((line) => line !== '' && !isStackFrame(line));
  const telling = [...new Set(lines.filter(tellsOfFailure))];
  const shown = telling.length > 0 ? telling.slice(0, MAX_LINES) : lines.slice(-MAX_LINES);
  return shown.map((line) => head(line, MAX_LINE_CHARS));
}

/** Each line whole: a longer one goes on below. */
const foldedLines = (text: string): readonly string[] =>
  plain(text)
    .split('\n')
    .flatMap((line) => line.match(FOLDED) ?? []);
