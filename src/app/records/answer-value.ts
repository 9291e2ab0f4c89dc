import type { z } from 'zod';
import { jsonAnswer } from '../../prompt/answer-schema.ts';
import type { RunEnd } from '../../runtime/run-end.ts';

/**
 * The answer of a run that was asked for one by a schema, as the schema reads it. Null: the run has not succeeded, or
 * its answer is another one.
 *
 * @example
 * const Files = z.object({ files: z.array(z.string()) });
 * const run = await loops.start({ prompt: 'Which files are unused?', outputSchema: Files });
 * const value = answerValue(Files, await run.done); // { files: string[] } | null
 */
export function answerValue<Schema extends z.ZodType>(schema: Schema, end: RunEnd): z.output<Schema> | null {
  if (end.kind !== 'ended' || end.outcome.ending !== 'success') return null;
  const read = schema.safeParse(jsonAnswer(end.answer));
  return read.success ? read.data : null;
}
