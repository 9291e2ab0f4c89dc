import { isOrdinary, signalsAlone } from './signal-line.ts';
import { isSaid } from './signal-sentence.ts';
import { saidLines } from './signal-text.ts';

/** The default completion signals. */
export const COMPLETION_SIGNALS: readonly string[] = ['TASK_COMPLETE', 'TASK_COMPLETED', 'DONE', '[COMPLETE]'];

/**
 * The signal with which an answer calls the work complete; null where it gives none.
 *
 * A signal is a whole token, written as it is configured. An ordinary word such as `DONE` counts only alone on the last
 * line: sentences about a part of the work contain it. Another signal counts alone on any line, as a sentence, or where
 * a sentence says that the whole is complete. In ticks, in a fence or quoted it counts as a whole line. A heading above
 * the line, or a label before the signal that is about the whole (`Status: DONE`), leaves it alone.
 *
 * It does not count inside a longer word or a path, in an instruction or a condition ("say TASK_COMPLETE when
 * finished"), where it is denied, promised, asked for or taken back, in a list of words, or for a step. In doubt there
 * is no signal: a missed one costs an iteration, an invented one ends the loop.
 *
 * @example
 * completionSignal('All tests pass. TASK_COMPLETE'); // 'TASK_COMPLETE'
 * completionSignal('No remaining issues - DONE'); // 'DONE'
 * completionSignal('The parser is DONE. The lexer fails 3 tests.'); // null
 */
export function completionSignal(output: string, signals: readonly string[] = COMPLETION_SIGNALS): string | null {
  const said = signals.filter((signal) => output.replace(/\\(?=[_[\]*])/g, '').includes(signal));
  if (said.length === 0) return null;
  const lines = saidLines(output, said);
  return said.find((signal) => gives(signal, lines)) ?? null;
}

function gives(signal: string, lines: readonly string[]): boolean {
  const alone = signalsAlone(lines, signal);
  if ([...alone.values()].includes(true)) return true;
  return (
    !isOrdinary(signal) &&
    isSaid(
      signal,
      lines.map((line, index) => (alone.has(index) ? '' : line)),
    )
  );
}
