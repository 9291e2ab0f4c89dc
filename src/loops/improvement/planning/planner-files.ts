import type { Discovery } from '../../../../machines/improvement-facts.ts';
import { head } from '../../../text/excerpt.ts';

const MAX_FILES_CHARS = 3_000;
const MAX_SOURCES = 2;
const MIN_WORD = 4;
const IS_TEST = /(?:^|\/)(?:tests?|__tests__|spec|e2e)\/|[._-](?:test|spec)s?\.\w+$|(?:^|\/)test_\w+\.py$/i;
const IS_CODE = /\.(?:[cm]?[jt]sx?|py|go|rs|rb|php|java|kt|c|cc|cpp|h|cs|swift|ex|exs)$/;

/** Tells whether a file is code, and no test. */
export const isCode = (path: string): boolean => IS_CODE.test(path) && !IS_TEST.test(path);

/** Files that a planner is shown: names of all, those that a finding is about, and tests of the project. */
export interface FilesToShow {
  readonly files: string;
  readonly sources: readonly string[];
  /** The nearest first. */
  readonly examples: readonly string[];
}

/**
 * Chooses what to show of a repository for one finding: the file that it names, or else files whose names share a word
 * with it. `tested`: files that have tests, by the reports of runners.
 *
 * @example
 * filesToShow({ title: 'parsePrice rejects', summary: '', file: 'src/a.js' }, all, []).sources; // ['src/a.js']
 */
export function filesToShow(
  { title, summary, file }: Pick<Discovery, 'title' | 'summary' | 'file'>,
  all: readonly string[],
  tested: readonly string[],
): FilesToShow {
  const words = wordsOf(`${title} ${summary}`);
  const score = (path: string) => [...wordsOf(path)].filter((word) => words.has(word)).length;
  const code = all.filter(isCode);
  const akin = code
    .map((path) => ({ path, score: score(path) }))
    .filter((one) => one.score > 0)
    .toSorted((one, other) => other.score - one.score)
    .map(({ path }) => path);
  const sources = file !== undefined && all.includes(file) ? [file] : akin.slice(0, MAX_SOURCES);
  const near = (path: string) => score(path) + (sources[0] && sameFolder(path, sources[0]) ? 1 : 0);
  return {
    files: head(all.join('\n'), MAX_FILES_CHARS),
    sources,
    examples: testsAmong(all, tested).toSorted((one, other) => near(other) - near(one)),
  };
}

/** Runners of some languages name no files. */
function testsAmong(all: readonly string[], tested: readonly string[]): readonly string[] {
  const named = tested.filter((path) => all.includes(path));
  return named.length > 0 ? named : all.filter((path) => IS_CODE.test(path) && IS_TEST.test(path));
}

const wordsOf = (text: string): ReadonlySet<string> =>
  new Set(
    text
      .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .split(/[^a-z0-9]+/)
      .filter(({ length }) => length >= MIN_WORD),
  );

const sameFolder = (one: string, other: string): boolean => folderOf(one) === folderOf(other);

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1);
