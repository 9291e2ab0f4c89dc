import { hash } from 'node:crypto';
import type { Discovery, DiscoverySource } from '../../../../machines/improvement-facts.ts';
import { withoutVolatile } from '../../../detectors/result-identity.ts';
import { head } from '../../../text/excerpt.ts';
import { oneLine, plain } from '../../../text/one-line.ts';
import { UNSCORED } from '../../../config/improve-config.ts';

/** How relevant a finding is by its kind alone, from 0 to 1: a model's score replaces it. */
export const RULE_SCORES = {
  failingTest: 1,
  typeError: 0.9,
  lintError: 0.7,
  benchmark: 0.7,
  skippedTest: 0.65,
  /** It names a test, a specification or an issue, or says what has to hold. */
  todoWithSpec: 0.65,
  /** In a log, or in recorded runs, more than once. */
  repeatedError: 0.65,
  /** An item, or an idea, without a score. */
  unscored: UNSCORED,
  todo: 0.4,
  lintWarning: 0.4,
  singleError: 0.4,
  uncovered: 0.3,
} as const;

const MAX_TITLE_CHARS = 200;
const MAX_SUMMARY_CHARS = 4_000;
/** Of a summary, and of an identity, before they are cleaned. */
const MAX_UNCLEAN_CHARS = 16_000;
/** Of the fingerprint: among 10,000 findings two ids are equal once in millions of runs. */
const ID_DIGITS = 12;

/** What a source has found, before it is named. */
export interface Found {
  readonly source: DiscoverySource;
  readonly title: string;
  readonly summary: string;
  /** From 0 to 1. */
  readonly score: number;
  /** Equal for the same finding in every iteration, but for places, times and paths of the machine. */
  readonly identity: string;
  /** From the workspace. */
  readonly file?: string;
  /** The check, or the benchmark, that shows it. */
  readonly check?: string;
}

/**
 * Names a finding. The same finding has the same id and fingerprint in every iteration.
 *
 * @example
 * discoveryOf({ source: 'todos', title: 'TODO: sum', summary: 'a.ts:3', score: 0.4, identity: 'a.ts\nsum' }).id;
 */
export function discoveryOf({ source, title, summary, score, identity, file, check }: Found): Discovery {
  const fingerprint = hash('sha256', `${source}\n${withoutPlaces(identity)}`);
  return {
    id: `${source}-${fingerprint.slice(0, ID_DIGITS)}`,
    title: oneLine(title.toWellFormed(), MAX_TITLE_CHARS),
    summary: head(plain(head(summary, MAX_UNCLEAN_CHARS)).toWellFormed().trim(), MAX_SUMMARY_CHARS),
    source,
    relevanceScore: score,
    fingerprint,
    ...(file === undefined ? {} : { file }),
    ...(check === undefined ? {} : { check }),
  };
}

/** A text without times, line numbers and folders of the machine, which differ between two reports of one finding. */
export const withoutPlaces = (text: string): string =>
  oneLine(withoutVolatile(head(text, MAX_UNCLEAN_CHARS)).toWellFormed(), MAX_UNCLEAN_CHARS)
    .replace(ABSOLUTE, '$1')
    .replace(/:\d+(?::\d+)?\b/g, '')
    .replace(/\((\d+),(\d+)\)/g, '')
    .replace(/\b(lines?|columns?|col) \d+/gi, '$1');

/** Of an absolute path the name of the file stays. */
const ABSOLUTE = /(?<![\w.@~/\\-])(?:[A-Za-z]:)?[\\/](?:[\w.@~+-]+[\\/])*([\w.@+-]+)/g;

/** Finds the file of the workspace that a tool means, whatever folder the tool ran in. Null: none. */
export type FileIn = (path: string) => string | null;

/**
 * Finds files among those of a workspace. An absolute path, of a checkout that is gone or of another machine, means the
 * file that has its end.
 *
 * @example
 * fileIn(['src/a.ts'])('/tmp/checkout-1/src/a.ts'); // 'src/a.ts'
 */
export function fileIn(files: Iterable<string>): FileIn {
  const known = new Set(files);
  return (path) => {
    const parts = path.replaceAll('\\', '/').replace(/^\.\//, '').split('/');
    // A file of the same name elsewhere is another one: a relative path means itself, or nothing.
    if (parts[0] !== '' && !/^[A-Za-z]:$/.test(parts[0] ?? ''))
      return known.has(parts.join('/')) ? parts.join('/') : null;
    for (let from = 1; from < parts.length; from += 1) {
      const end = parts.slice(from).join('/');
      if (known.has(end)) return end;
    }
    return null;
  };
}
