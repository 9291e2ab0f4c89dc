import { type FileIn, type Found, RULE_SCORES } from './finding-facts.ts';
import { amount } from '../../../text/money.ts';

const MAX_RANGES = 30;
const SOURCE_FILE = 'SF:';

/** The lines of a file by whether a test reaches them. */
export interface CoveredFile {
  readonly missed: ReadonlySet<number>;
  readonly reached: ReadonlySet<number>;
}

/**
 * The lines of each file by a coverage report in the format of lcov. Null: the text is no such report.
 *
 * @example
 * coveredFiles('SF:src/a.js\nDA:1,1\nDA:2,0\nend_of_record\n', (path) => path)?.get('src/a.js')?.missed.has(2); // true
 */
export function coveredFiles(lcov: string, fileIn: FileIn): ReadonlyMap<string, CoveredFile> | null {
  const files = new Map<string, { missed: Set<number>; reached: Set<number> }>();
  let file: string | null = null;
  let isReport = false;
  for (const line of lcov.split('\n')) {
    const path = line.startsWith(SOURCE_FILE) ? line.slice(SOURCE_FILE.length).trimEnd() : '';
    if (path !== '') [file, isReport] = [fileIn(path), true];
    if (file === null) continue;
    const [, number = '', hits = ''] = /^DA:(\d+),(\d+)/.exec(line) ?? [];
    if (number === '') continue;
    const lines = files.get(file) ?? { missed: new Set(), reached: new Set() };
    files.set(file, lines);
    // A line that several reports name is reached where any of them reaches it.
    if (hits !== '0') lines.reached.add(Number(number));
    if (lines.reached.has(Number(number))) lines.missed.delete(Number(number));
    else lines.missed.add(Number(number));
  }
  return isReport || lcov.trim() === '' ? files : null;
}

/** The files of such a report that have lines no test reaches: one finding a file. Null: it is no such report. */
export function uncoveredLines(lcov: string, fileIn: FileIn): readonly Found[] | null {
  const found = coveredFiles(lcov, fileIn);
  return found && [...found].flatMap(([path, { missed }]) => foundIn(path, [...missed]));
}

function foundIn(file: string, lines: readonly number[]): readonly Found[] {
  if (lines.length === 0) return [];
  const ranges = rangesOf(lines.toSorted((one, other) => one - other));
  const shown = ranges.slice(0, MAX_RANGES).join(', ');
  const more = ranges.length > MAX_RANGES ? ', …' : '';
  return [
    {
      source: 'coverage',
      title: `${file}: ${amount(lines.length, 'line')} without a test`,
      summary: `No test reaches these lines of ${file}: ${shown}${more}`,
      score: RULE_SCORES.uncovered,
      identity: file,
      file,
    },
  ];
}

function rangesOf(lines: readonly number[]): readonly string[] {
  const ranges: [number, number][] = [];
  for (const line of lines) {
    const last = ranges.at(-1);
    if (last && last[1] === line - 1) last[1] = line;
    else ranges.push([line, line]);
  }
  return ranges.map(([from, to]) => (from === to ? String(from) : `${from}-${to}`));
}
