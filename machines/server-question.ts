import { z } from 'zod';
import { Json } from './json.ts';

/** The longest text of a question. */
export const MAX_QUESTION_CHARS = 2_000;

/** The most places that one question is about. */
export const MAX_OPENED_PLACES = 20;

/** A question that a person answers before a call can go on: of the server of its tool, or about walls. */
export const ServerQuestion = z.strictObject({
  /** The name of the server: a person reads it first. */
  server: z.string(),
  message: z.string().max(MAX_QUESTION_CHARS),
  /** The JSON schema of the answer, an object of plain values. */
  form: Json,
  /** SHA-256 of all of that: an answer is given to exactly this question. */
  digest: z.string(),
  /**
   * Places of a network that walls have refused to a command: a yes opens them to this call alone, and it runs again.
   * `message` is what the command had printed. Absent: the server of a tool asks.
   */
  opens: z.array(z.string()).max(MAX_OPENED_PLACES).optional(),
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
