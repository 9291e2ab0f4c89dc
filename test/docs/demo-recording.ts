import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root, run } from '../repository/tool.ts';

/** Wide enough that the demo shortens no line of its work. */
const COLUMNS = 110;
/** Takes the line back to its beginning and clears it: what stood there before was a status. */
const CLEAR_LINE = '\r\u001B[K';
const ESCAPE = '\u001B';

/** What differs from one run to the next. Times and token counts are left out, since any value would be invented. */
const VOLATILE: readonly (readonly [RegExp, string])[] = [
  [new RegExp(` ${ESCAPE}\\[2m\\d+\\.\\d s${ESCAPE}\\[22m$`), ''],
  // Behind the counts of tests.
  [new RegExp(`, \\d+\\.\\d s(${ESCAPE}\\[22m)$`), '$1'],
  [/ \(\d+(\.\d+)?ms\)/, ''],
  [/, [\d,]+ tokens/, ''],
  [/, in \d+(\.\d+)? s/, ''],
  [/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/, '01…'],
];

let recorded: readonly string[] | null = null;

/** What `loopfold demo` prints on a terminal, with its colours, shortened. The demo really runs, once: some seconds. */
export const recordedDemo = (): readonly string[] => (recorded ??= excerptOf(recordDemo()));

function recordDemo(): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'loopfold-recording-'));
  try {
    const command = `stty cols ${COLUMNS}; exec '${process.execPath}' src/cli/main.ts demo`;
    const env = { ...process.env, TMPDIR: folder, TERM: 'xterm-256color', NO_COLOR: '' };
    const { status, output } = run('script', ['-qec', command, '/dev/null'], root, env);
    if (status !== 0) throw new Error(`the demo ended with status ${status}:\n${output}`);
    return linesOf(output);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The lines a terminal still shows at the end of this output, without what differs from run to run. */
export function linesOf(output: string): string[] {
  return output.split('\n').map((raw) => {
    const line = (raw.split(CLEAR_LINE).at(-1) ?? '').replaceAll('\r', '');
    return VOLATILE.reduce((text, [pattern, instead]) => text.replace(pattern, instead), line);
  });
}

/**
 * The lines that fit into a picture: no paths, no commands at the end, and of every iteration after the first of a
 * run only the last step. `…` stands for the steps left out.
 */
export function excerptOf(lines: readonly string[]): string[] {
  const tour = lines.findIndex((line) => line.startsWith('Everything that happened is in a log'));
  const shown = lines.slice(0, tour).filter((line) => !/^\S*(?: {2}where |run 01…)/.test(line));
  const kept = shown.flatMap((line, index) => {
    const iteration = shown.slice(0, index).findLast((before) => /iteration \d+\//.test(before));
    const isLater = iteration !== undefined && !iteration.includes('iteration 1/');
    if (!isLater || !isOfStep(line)) return [line];
    if (isStep(line) && !isStep(nextHeading(shown, index))) return [line];
    return isStep(line) && /iteration \d/.test(shown[index - 1] ?? '') ? ['  …'] : [];
  });
  return kept.filter((line, index) => line !== '' || (index < kept.length - 1 && kept[index - 1] !== ''));
}

/** Lines without their colours. */
export const plain = (lines: readonly string[]): string =>
  lines.join('\n').replaceAll(new RegExp(`${ESCAPE}\\[\\d+m`, 'g'), '');

const isStep = (line: string): boolean => new RegExp(`^ {2}${ESCAPE}\\[2mstep `).test(line);
const isOfStep = (line: string): boolean => isStep(line) || isCall(line) || isOutcome(line) || isDiff(line);
const isCall = (line: string): boolean => new RegExp(`^ {4}${ESCAPE}\\[2m›`).test(line);
/** The failure of a call, below it. */
const isOutcome = (line: string): boolean => new RegExp(`^ {6}(?:${ESCAPE}\\[\\d+m)*✗`).test(line);
const isDiff = (line: string): boolean => new RegExp(`^ {8}${ESCAPE}\\[3[12]m[-+] (?!fails:)`).test(line);

/** The next line that belongs to an iteration itself: another step, or what follows the last one. */
const nextHeading = (lines: readonly string[], index: number): string =>
  lines.slice(index + 1).find((line) => isStep(line) || !isOfStep(line)) ?? '';
