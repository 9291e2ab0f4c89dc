// A skipped test can run only where its file changes. What may change there is the mark that skips it, and no more.

/** Marks within a line that skip a test, and what stands there without them. */
const MARKS: readonly (readonly [mark: RegExp, without: string])[] = [
  [/\b(test|it|describe|suite|context|specify)\.skip\b/g, '$1'],
  [/\bx(it|test|describe|context|specify)\b(?=\s*[(.`])/g, '$1'],
  [/\bskip\s*:\s*(?:true|'[^']*'|"[^"]*")\s*,?/g, ''],
];
/** Whole lines that skip the test below them, or around them. */
const LINES: readonly RegExp[] = [
  /^\s*@(?:pytest\.mark\.skip|unittest\.skip|Disabled|Ignore)\b.*$/,
  /^\s*#\[ignore(?:\s*=.*)?\]\s*$/,
  /^\s*t\.Skip(?:f|Now)?\(.*\)\s*$/,
];

/**
 * Whether a file differs from what it was only by marks that skip tests, of which it has fewer now.
 *
 * @example
 * onlyUnskips("test.skip('adds', adds);", "test('adds', adds);"); // true
 * onlyUnskips("test.skip('adds', adds);", "test('adds', () => {});"); // false
 */
export function onlyUnskips(before: string, after: string): boolean {
  const [was, is] = [before, after].map((text) => text.split(/\r?\n/));
  if (!was || !is || withoutMarks(was) !== withoutMarks(is)) return false;
  const left = marked(was);
  const now = marked(is);
  // A mark that was moved to another test is a new one.
  const isNew = now.some((line) => {
    const at = left.indexOf(line);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
  return !isNew && left.length > 0;
}

const isMarkLine = (line: string): boolean => LINES.some((pattern) => pattern.test(line));

const bare = (line: string): string => MARKS.reduce((text, [mark, without]) => text.replaceAll(mark, without), line);

const marked = (lines: readonly string[]): string[] =>
  lines.flatMap((line, at) => {
    if (isMarkLine(line)) return [`${line}\n${lines[at + 1] ?? ''}`];
    return bare(line) === line ? [] : [line];
  });

/** Layout does not count: an option that is taken out leaves braces or lines behind. */
const withoutMarks = (lines: readonly string[]): string =>
  lines
    .filter((line) => !isMarkLine(line))
    .map(bare)
    .join('\n')
    .replaceAll(/\s+/g, '')
    .replaceAll(/,\{\}/g, '');
