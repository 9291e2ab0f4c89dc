import { readFileSync } from 'node:fs';
import { z } from 'zod';

const number = z.int().nonnegative();
const numbers = z.array(z.int().positive()).min(1).optional();

/**
 * A call: classes, and numbers in place of all text. Equal numbers stand for equal texts of one kind, within one
 * trajectory only.
 */
const Call = z.strictObject({
  tool: z.enum(['read', 'search', 'edit', 'write', 'shell']),
  /** The class of a command of the shell. */
  command: z.enum(['test', 'compile', 'search', 'list', 'read', 'write', 'wait', 'start', 'other']).optional(),
  args: number,
  /** The file, query or program that it is about. */
  about: number.optional(),
  /** Its result without times, durations, addresses and ids. */
  result: number,
  failed: z.literal(true).optional(),
  /** It printed nothing. */
  empty: z.literal(true).optional(),
  exit: z.int().optional(),
  /** A search that found nothing. */
  none: z.literal(true).optional(),
  /** The tests that it shows as failed, and the messages of errors, numbers in them left out. */
  red: numbers,
  errors: numbers,
  /** The time that the command waits. */
  seconds: number.optional(),
});
export type Call = z.infer<typeof Call>;

const Shape = z.strictObject({
  source: z.enum([
    'auto-code-rover',
    'intercode',
    'live-swe-agent',
    'mini-swe-agent',
    'multi-swe-bench',
    'terminal-bench',
  ]),
  /** The run and the task, as the source names them. */
  id: z.string().regex(/^[\w.@:/-]{1,100}$/),
  label: z.enum(['healthy', 'stuck']),
  /** The verifier of the source passed; and a limit of steps, time or money ended the agent. */
  passed: z.boolean(),
  limited: z.boolean(),
  steps: z
    .array(
      z.strictObject({
        /** Tokens; a quarter of the characters where the source does not count any. */
        in: number,
        out: number,
        /** The characters of what the model said beside its calls, and which text that was. */
        chars: number,
        text: number,
        calls: z.array(Call).min(1),
      }),
    )
    .min(6)
    .max(150),
});
/** A trajectory of another project's agent, without any text of it. */
export type Shape = z.infer<typeof Shape>;

/** The trajectories of the corpus, as they lie in its file. */
export const shapes = (): Shape[] =>
  readFileSync(new URL('shapes.jsonl', import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => Shape.parse(JSON.parse(line)));
