import { head } from '../text/excerpt.ts';
import { pathText } from '../text/path-text.ts';
import { type CheckedTests, lostOf } from './tests-of-checks.ts';
import type { MissedTest } from './compare-tests.ts';
import type { EndedRun } from './run-crash.ts';
import { movedTests } from './test-moves.ts';
import type { TestResult } from './test-list.ts';

const MAX_PATH_CHARACTERS = 200;
export const MAX_TESTS = 20;
export const MAX_NAME_CHARACTERS = 200;
/** Of why a run ended. */
const MAX_SAID_CHARACTERS = 300;

/** A test as feedback names it. */
export const testText = ({ file, name }: Pick<TestResult, 'file' | 'name'>): string =>
  [...(file === null ? [] : [pathText(file, MAX_PATH_CHARACTERS)]), head(name, MAX_NAME_CHARACTERS)].join(': ');

const HOW = { failed: 'fails', skipped: 'is skipped now', gone: 'was not run' } as const;

/**
 * Says which tests of the start a check has lost. Those of a file that moved, and those that were not run because the
 * run ended before them, are one line together.
 */
export function lostText(checked: CheckedTests): string {
  const all = lostOf(checked);
  const moved = movedTests(all, checked.fresh);
  const stayed = all.filter(({ test }) => !moved.has(test.file ?? ''));
  const { lines, left } = endedLines(checked.ended ?? [], stayed);
  const named = left.slice(0, MAX_TESTS).map(({ test, how }) => `- ${HOW[how]}: ${testText(test)}`);
  const more = left.length - named.length;
  return [
    `Tests of ${checked.check} that were there when the run began do not pass:`,
    ...[...moved].slice(0, MAX_TESTS).map(([from, to]) => `- ${movedText(from, to, all)}`),
    ...lines.slice(0, MAX_TESTS),
    ...(all.length === 0 ? ['- all of them: none was run'] : named),
    ...(more > 0 ? [`- and ${more} more`] : []),
  ].join('\n');
}

function movedText(from: string, to: string, lost: readonly MissedTest[]): string {
  const count = lost.filter(({ test }) => test.file === from).length;
  const [old, now] = [from, to].map((path) => pathText(path, MAX_PATH_CHARACTERS));
  return `${old} moved to ${now}, with ${countText(count)}`;
}

/** One line for each place where a run ended, and the tests that no such place explains. */
function endedLines(ended: readonly EndedRun[], lost: readonly MissedTest[]) {
  let left = [...lost];
  const lines: string[] = [];
  for (const one of ended) {
    const behind = left.filter(({ test, how }) => how === 'gone' && (one.within === 'run' || test.file === one.file));
    if (behind.length === 0) continue;
    left = left.filter((missed) => !behind.includes(missed));
    // The test itself may be among them.
    const after = behind.filter(({ test }) => test.name !== one.name || test.file !== one.file).length;
    lines.push(
      `- ${endedText(one)}; ${countText(after)} ${one.name === '' ? 'of' : 'after'} it ${after === 1 ? 'was' : 'were'} not run`,
    );
  }
  return { lines, left };
}

function endedText({ file, name, said }: EndedRun): string {
  const why = said === null || said === '' ? '' : `: ${head(said.split('\n')[0] ?? '', MAX_SAID_CHARACTERS)}`;
  const path = file === null ? '' : pathText(file, MAX_PATH_CHARACTERS);
  if (name === '') return `${path || 'the run'} failed outside of every test${why}`;
  return `the run ended in ${head(name, MAX_NAME_CHARACTERS)}${path === '' ? '' : ` (${path})`}${why}`;
}

const countText = (count: number): string => `${count} ${count === 1 ? 'test' : 'tests'}`;
