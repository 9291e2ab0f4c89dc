import { DATA, isData, PAGES } from './comment-places.ts';
import { nameOf } from './workspace-paths.ts';

const NAMED = new RegExp(String.raw`[\w.-]+\.(?:${[...DATA, ...PAGES].join('|')})\b`, 'gi');

/**
 * The suppressions in files of data and pages: they count where code names the file, since a compiler takes in any, as
 * with `#include "quiet.txt"`.
 *
 * @example
 * const data = new IncludedData();
 * data.add('quiet.txt', '#pragma GCC system_header', 1);
 * data.add('a.c', '#include "quiet.txt"', 0);
 * data.total(); // 1
 */
export class IncludedData {
  readonly #counts = new Map<string, number>();
  readonly #named = new Set<string>();

  /** A file of a patch as it is after it, and how many suppressions more it has as a text. */
  add(path: string, after: string, count: number): void {
    if (!isData(path)) for (const [name] of after.matchAll(NAMED)) this.#named.add(name);
    else if (count > 0) this.#counts.set(path, count);
  }

  total(): number {
    const taken = [...this.#counts].filter(([path]) => this.#named.has(nameOf(path)));
    return taken.reduce((sum, [, count]) => sum + count, 0);
  }
}
