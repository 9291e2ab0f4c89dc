import { z } from 'zod';
import { CompletionPromise, DEFAULT_PROMISE } from './completion-promise.ts';
import { UNLIMITED } from './maximum.ts';

// Every `error` is the end of the sentence "expected …".

const MAX_ID_CHARACTERS = 200;
const MAX_REASON_CHARACTERS = 2_000;
/** As long as a run takes one. */
const MAX_PROMPT_CHARACTERS = 1_000_000;

const BOOLEAN = 'true or false';
const ITERATION = 'a whole number, 1 or more';
const MAXIMUM = `a whole number, ${UNLIMITED} or more (${UNLIMITED}: no maximum but the ceiling)`;
const PROMISE = `a text such as "${DEFAULT_PROMISE}", or null`;
const TIME = 'a time such as "2026-01-31T12:00:00.000Z"';
const SESSION = `the id of a run in quotes, at most ${MAX_ID_CHARACTERS} characters, or null`;
const REASON = `a text of at most ${MAX_REASON_CHARACTERS} characters`;
const TASK = `the task, in at most ${MAX_PROMPT_CHARACTERS} characters`;

const text = (error: string) => z.string({ error }).refine((value) => value.isWellFormed(), { error });

/** The state of a Ralph loop, as its state file has it. `iteration` names the iteration that runs, from 1. */
export const RalphState = z.strictObject({
  active: z.boolean({ error: BOOLEAN }),
  iteration: z.int({ error: ITERATION }).min(1, { error: ITERATION }),
  maxIterations: z.int({ error: MAXIMUM }).min(UNLIMITED, { error: MAXIMUM }),
  completionPromise: z.union([CompletionPromise, z.null()], { error: PROMISE }),
  startedAt: text(TIME).refine((value) => !Number.isNaN(Date.parse(value)), { error: TIME }),
  sessionId: z.union([text(SESSION).max(MAX_ID_CHARACTERS), z.null()], { error: SESSION }),
  originalPrompt: text(TASK).max(MAX_PROMPT_CHARACTERS, { error: TASK }).regex(/\S/, { error: TASK }),
  /** Why the loop is no longer active. */
  deactivatedReason: text(REASON).max(MAX_REASON_CHARACTERS, { error: REASON }).optional(),
});
export type RalphState = z.output<typeof RalphState>;
