import { hash } from 'node:crypto';
import type { Discovery, DiscoverySource } from '../../../../machines/improvement-facts.ts';
import { withoutVolatile } from '../../../detectors/result-identity.ts';
import { head } from '../../../text/excerpt.ts';
import { oneLine } from '../../../text/one-line.ts';
import { plain } from '../../../text/plain.ts';

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
