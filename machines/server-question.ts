import { z } from 'zod';
import { Json } from './json.ts';

/** The longest text of a question. */
export const MAX_QUESTION_CHARS = 2_000;

/** A question that the server of a tool asks a person before a call can go on. */
export const ServerQuestion = z.strictObject({
  /** The name of the server: a person reads it first. */
  server: z.string(),
  message: z.string().max(MAX_QUESTION_CHARS),
  /** The JSON schema of the answer, an object of plain values. */
  form: Json,
  /** SHA-256 of all of that: an answer is given to exactly this question. */
  digest: z.string(),
});
export type ServerQuestion = z.infer<typeof ServerQuestion>;

/** The answer of a person to it. */
export const GivenForm = z.strictObject({
  digest: z.string(),
  action: z.enum(['accept', 'decline']),
  /** What the form holds. Absent where it was declined. */
  content: z.record(z.string(), Json).optional(),
});
export type GivenForm = z.infer<typeof GivenForm>;
