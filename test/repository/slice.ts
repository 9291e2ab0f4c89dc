import { dirname, join } from 'node:path';
import { TENTHS, type Tier } from '../support/tier.ts';
import { FILES_IN_TURN } from '../support/turns.ts';
import type { Tree } from './tree.ts';

/** How long the slice may take. A tenth that is not over by then is cut off. */
export const SLICE_MS = 5 * 60_000;

const TAKES_A_TENTH = /\b(?:tenthOf(?:Many)?\(|testInTurn\b)/;
const IMPORTED = /from '(\.[^']+)'/g;

/** The test files that take a tenth of something, themselves or by what they import. */
export function sharingTests(tree: Tree): string[] {
  const shares = (path: string): boolean => TAKES_A_TENTH.test(tree.get(path) ?? '');
  const imported = (path: string, source: string): string[] =>
    [...source.matchAll(IMPORTED)]
      .map(([, specifier = '']) => join(dirname(path), specifier))
      .filter((file) => file.startsWith('test/') && !file.startsWith('test/support/'));
  return [...tree]
    .filter(
      ([path, source]) =>
        path.endsWith('.test.ts') && (FILES_IN_TURN.includes(path) || [path, ...imported(path, source)].some(shares)),
    )
    .map(([path]) => path);
}

/** All tenths, the one of the tier first. */
export function tenthsLeft({ tenth }: Tier): number[] {
  return Array.from({ length: TENTHS }, (_none, index) => ((tenth ?? 0) + index) % TENTHS);
}

/** Whether another tenth is over in time, if it takes as long as the longest so far. */
export const hasRoom = (tookMs: readonly number[]): boolean =>
  tookMs.reduce((sum, ms) => sum + ms, 0) + Math.max(0, ...tookMs) <= SLICE_MS;

/** Files that the slice runs at once. */
const PART_FILES = 40;

/** The files in parts, each to be run and to count alone. */
export const partsOf = (files: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(files.length / PART_FILES) }, (_, part) =>
    files.slice(part * PART_FILES, (part + 1) * PART_FILES),
  );
