import { z } from 'zod';
import { Fault } from '../../../machines/outcome.ts';
import { Usage } from '../../../machines/events.ts';
import { GivenPrice } from './providers.ts';

const MAX_DELAY_MS = 3_600_000;

/** As any model, a script may send what is no JSON, or is nested too deep: that fails the call alone. */
const Arguments = z.custom<z.core.util.JSONType>(() => true);

/** What a scripted model says in one step. */
export const ScriptedAnswer = z
  .strictObject({
    text: z.string().default(''),
    calls: z
      .array(z.strictObject({ id: z.string().optional(), tool: z.string(), arguments: Arguments.default({}) }))
      .default([]),
    /** Without it, a token is four characters: of the request, and of the answer. */
    usage: Usage.optional(),
    /** The model fails so, after its text. */
    error: Fault.optional(),
    /** The text arrives in pieces of so many characters; without it, in one. */
    chunkCharacters: z.int().positive().optional(),
    /** Waited before each piece. */
    delayMs: z.int().nonnegative().max(MAX_DELAY_MS).default(0),
    /** For how many steps this is the answer. */
    repeat: z.int().positive().default(1),
  })
  .refine((answer) => !answer.error || answer.calls.length === 0, {
    path: ['calls'],
    error: 'an answer that fails with an error has no calls',
  });
export type ScriptedAnswer = z.input<typeof ScriptedAnswer>;

const Answers = z.strictObject({ answers: z.array(ScriptedAnswer).min(1) });
/** What its tokens cost, for those who limit money. */
const priced = { price: GivenPrice.optional() };
const OneAttempt = Answers.extend(priced);
const Attempts = z.strictObject({ attempts: z.array(Answers).min(1), ...priced });

/** The answers of one attempt in order, the same in every attempt; or those of each attempt. */
export type Script = z.input<typeof OneAttempt> | z.input<typeof Attempts>;

/** A script that was read: it says what a model answers in a step (0-based) of an attempt (0-based). */
export type ReadScript = z.output<typeof OneAttempt> | z.output<typeof Attempts>;

/** Reads a script. Each half of the choice has its own schema, so that a problem is told in the half it lies in. */
export function readScript(value: unknown): z.ZodSafeParseResult<ReadScript> {
  const hasAttempts = typeof value === 'object' && value !== null && 'attempts' in value;
  return hasAttempts ? Attempts.safeParse(value) : OneAttempt.safeParse(value);
}

/** The answer to a step, which depends on the step alone: a resumed run gets it again. Null after the script's end. */
export function answerAt(script: ReadScript, iteration: number, step: number): z.output<typeof ScriptedAnswer> | null {
  const answers = 'answers' in script ? script.answers : script.attempts[iteration]?.answers;
  let end = 0;
  for (const answer of answers ?? []) {
    end += answer.repeat;
    if (step < end) return answer;
  }
  return null;
}
