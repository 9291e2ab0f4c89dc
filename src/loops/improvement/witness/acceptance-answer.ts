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

/** A line `Test: PATH`, in the ways in which models set such a line off, and the block of code that follows it. */
const BLOCK =
  /^[ \t]*(?:[#>*-]+[ \t]*)*(?:acceptance )?test(?: file)?[ \t]*:[ \t*]*[`"']?([^\s`"'*]+)[`"']?[ \t:*]*\r?\n\s*(`{3,}|~{3,})[^\n]*\n([\s\S]*?)\n?[ \t]*\2[ \t]*$/im;

/**
 * Finds the acceptance test in the answer of a planner: a line `Test: PATH` with a block of code below it, or JSON with
 * `{"test": {"path": PATH, "text": TEXT}}`. Null: it has none, or one of more than 20,000 characters.
 *
 * @example
 * writtenTest('1. Look.\n\nTest: test/sum.test.js\n```js\ntest("adds", f);\n```')?.path; // 'test/sum.test.js'
 */
export function writtenTest(answer: string): WrittenTest | null {
  const read = Answer.safeParse(jsonAnswer(answer));
  const [, path = '', , code = ''] = BLOCK.exec(answer) ?? [];
  const found = read.success ? read.data.test : { path, text: `${code}\n` };
  const isWhole = found.path.trim() !== '' && found.text.trim() !== '' && found.text.length <= MAX_ACCEPTANCE_CHARS;
  return isWhole ? { path: found.path.trim(), text: found.text.toWellFormed() } : null;
}
