import type { RecordedProof } from '../../../machines/recorded-proof.ts';
import { unmetText } from '../../evidence/packages/unmet-packages.ts';
import { grouped } from '../../text/money.ts';
import { pathText } from '../../text/path-text.ts';

const MAX_PATHS = 5;
const MAX_PATH_CHARS = 80;

/** Names what has changed of what checks rest on outside of the captures. */
export const restedLines = (proof: RecordedProof): readonly string[] => [
  ...namedLine('changed dependencies', proof.dependenciesNamed),
  ...namedLine('not installed as asked for', proof.dependenciesUnmet?.map(unmetText)),
  ...namedLine('changed programs', proof.toolsChanged),
  ...outsideLines(proof.outsideChanged),
];

/** Names the files outside of the workspace that changed. */
export const outsideLines = (paths: readonly string[] = []): readonly string[] =>
  paths.length === 0 ? [] : [`changed outside of the workspace: ${namedPaths(paths, paths.length)}`];

/** A line with the first of some names. None where there are no names. */
export function namedLine(what: string, names: readonly string[] = []): readonly string[] {
  if (names.length === 0) return [];
  const named = names.slice(0, MAX_PATHS).map((name) => pathText(name, MAX_PATH_CHARS));
  const more = names.length > named.length ? [`and ${grouped(names.length - named.length)} more`] : [];
  return [`${what}: ${[...named, ...more].join(', ')}`];
}

/** The first of some paths, and how many more there are of so many. */
export function namedPaths(paths: readonly string[], count: number): string {
  const named = paths.slice(0, MAX_PATHS).map((path) => pathText(path, MAX_PATH_CHARS));
  const more = count - named.length;
  return [...named, ...(more > 0 ? [`and ${grouped(more)} more`] : [])].join(', ');
}
