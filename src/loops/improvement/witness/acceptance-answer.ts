import { z } from 'zod';
import { MAX_ACCEPTANCE_CHARS } from '../../../../machines/improvement-facts.ts';
import { jsonAnswer } from '../json-answer.ts';

/** A file of tests as a planner wrote it. */
export interface WrittenTest {
  /** From the workspace, as it was written. */
  readonly path: string;
  readonly text: string;
}

const Answer = z.object({ test: z.object({ path: z.string(), text: z.string() }) });

/** A line `Test: PATH`, in the ways in which models set such a line off. */
const NAMES_TEST = /^[ \t#>*-]*(?:acceptance )?test(?: file)?[ \t]*:[ \t*]*[`"']?([^\s`"'*]+)[`"']?[ \t:*]*\r?$/i;
const FENCE = /^\s*(`{3,}|~{3,})/;
const MAX_LINE_CHARS = 500;
/** Lines of an answer that name a test and are followed by a block, of which the first whole one is taken. */
const MAX_BLOCKS = 10;

/**
 * Finds the acceptance test in the answer of a planner: a line `Test: PATH` with a block of code below it, or JSON with
 * `{"test": {"path": PATH, "text": TEXT}}`. Null: it has none, or one of more than 20,000 characters.
 *
 * @example
 * writtenTest('1. Look.\n\nTest: test/sum.test.js\n```js\ntest("adds", f);\n```')?.path; // 'test/sum.test.js'
 */
export function writtenTest(answer: string): WrittenTest | null {
  const read = Answer.safeParse(jsonAnswer(answer));
  const found = read.success ? read.data.test : blockIn(answer.split('\n'));
  if (found === null) return null;
  const isWhole = found.path.trim() !== '' && found.text.trim() !== '' && found.text.length <= MAX_ACCEPTANCE_CHARS;
  return isWhole ? { path: found.path.trim(), text: found.text.toWellFormed() } : null;
}

function blockIn(lines: readonly string[]): WrittenTest | null {
  let blocks = 0;
  for (const [at, line] of lines.entries()) {
    const path = line.length > MAX_LINE_CHARS ? undefined : NAMES_TEST.exec(line)?.[1];
    if (path === undefined) continue;
    const opening = lines.findIndex((one, index) => index > at && one.trim() !== '');
    const fence = FENCE.exec(lines[opening] ?? '')?.[1];
    blocks += 1;
    if (blocks > MAX_BLOCKS) return null;
    if (fence === undefined) continue;
    const closing = lines.findIndex((one, index) => index > opening && one.trim() === fence);
    if (closing > 0) return { path, text: `${lines.slice(opening + 1, closing).join('\n')}\n` };
  }
  return null;
}
