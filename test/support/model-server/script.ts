import { z } from 'zod';
import { Usage } from '../../../machines/events.ts';

/** What goes wrong with one request, by its number (0-based, of all requests). */
const Fault = z.strictObject({
  request: z.int().nonnegative(),
  /** Answered at once with this status instead of a stream. */
  status: z.int().optional(),
  headers: z.record(z.string(), z.string()).default({}),
  body: z.union([z.string(), z.json()]).optional(),
  /** The socket dies after so many pieces of the stream; 0 before the first. */
  dieAfter: z.int().nonnegative().optional(),
  /** The stream ends after so many pieces, as if that were all. */
  endAfter: z.int().nonnegative().optional(),
  /** A piece that is no JSON comes after so many. */
  malformedAfter: z.int().nonnegative().optional(),
  /** Nothing comes any more after so many pieces. */
  hangAfter: z.int().nonnegative().optional(),
  /** Nothing comes at all, not even a status. */
  silent: z.literal(true).optional(),
  /** The stream stays open after its last piece. */
  holds: z.literal(true).optional(),
  contentType: z.string().optional(),
  /** Waited before each piece. */
  delayMs: z.int().nonnegative().optional(),
  /** The bytes come in pieces of so many: characters are split. */
  splitBytes: z.int().positive().optional(),
  /** A failure told inside the stream after so many pieces, in the wire's own words. */
  errorAfter: z.int().nonnegative().optional(),
});
export type Fault = z.output<typeof Fault>;

const Answer = z.strictObject({
  text: z.string().default(''),
  calls: z
    .array(
      z.strictObject({
        id: z.string().optional(),
        tool: z.string(),
        arguments: z.json().default({}),
        /** Sent as they are, JSON or not. */
        rawArguments: z.string().optional(),
      }),
    )
    .default([]),
  usage: Usage.optional(),
  reasoning: z.string().optional(),
  /** It ends as no answer, or (`calls`) as if calls came, in the wire's own words. */
  end: z.enum(['length', 'filter', 'refusal', 'context', 'calls']).optional(),
  chunkCharacters: z.int().positive().default(12),
  repeat: z.int().positive().default(1),
});
export type Answer = z.output<typeof Answer>;

/**
 * `whole`: no stream but one document. `end unsaid`: chats end without a reason. `counts as text`: tokens are strings.
 */
const Habit = z.enum(['whole', 'end unsaid', 'counts as text']);

/** What a server says: the next answer to each request that does not fail, the last one again when all are used up. */
export const ServerScript = z.strictObject({
  answers: z.array(Answer).min(1),
  faults: z.array(Fault).default([]),
  /** What a request is answered whose last message has this text. It uses none of the answers up. */
  asides: z.array(z.strictObject({ contains: z.string().min(1), answer: Answer })).default([]),
  /** What a request is answered that offers no tools, such as for a title. It uses none of the answers up. */
  withoutTools: Answer.optional(),
  /** Longer requests are refused, in the wire's own words: tokens of four characters. */
  windowTokens: z.int().positive().optional(),
  /** What it does otherwise than the API has it, with every answer. */
  habits: z.array(Habit).default([]),
});
export type ServerScript = z.input<typeof ServerScript>;
export type ReadServerScript = z.output<typeof ServerScript>;

export function answerNumber(answers: readonly Answer[], served: number): Answer {
  const all = answers.flatMap((answer) => Array.from({ length: answer.repeat }, () => answer));
  const answer = all[Math.min(served, all.length - 1)];
  if (!answer) throw new Error('a script has at least one answer');
  return answer;
}
