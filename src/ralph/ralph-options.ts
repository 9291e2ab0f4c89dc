import { z } from 'zod';
import { CompletionPromise, DEFAULT_PROMISE, NoPromise } from './completion-promise.ts';
import { HARD_CEILING } from './maximum.ts';

// Every `error` is the end of the sentence "expected …".

/** Where the state file lies, from the folder of the run. */
export const STATE_FILE = '.claude/ralph-loop.local.md';

const BOOLEAN = 'true or false';
const LABEL = 'the label that chose the loop, or null';
const CEILING = 'a whole number of iterations, 1 or more';
const PROMISE = "a phrase, or 'none'";
const CONTEXT = "'fresh' or 'continue'";
const BELIEVE = "'verified' or 'promised'";

/** The own options of the Ralph loop, as a run records them. */
export const RalphLoopOptions = z.strictObject({
  label: z.string({ error: LABEL }).nullable().default(null),
  completionPromise: z.union([NoPromise, CompletionPromise, z.null()], { error: PROMISE }).default(DEFAULT_PROMISE),
  /** No maximum but the ceiling was asked for: the state file says 0. */
  isUnlimited: z.boolean({ error: BOOLEAN }).default(false),
  /** The maximum was given as an option, which is stronger than the state file. */
  isFixed: z.boolean({ error: BOOLEAN }).default(false),
  ceiling: z.int({ error: CEILING }).min(1, { error: CEILING }).default(HARD_CEILING),
  /** Whether the maximum grows while more checks pass. */
  adaptive: z.boolean({ error: BOOLEAN }).default(false),
  /** Whether a promise counts only while the checks pass. */
  believe: z.enum(['verified', 'promised'], { error: BELIEVE }).default('verified'),
  /**
   * `fresh`: an iteration begins without the conversation of the one before, and files and git carry the memory.
   * `continue`: it begins with the end of that conversation.
   */
  context: z.enum(['fresh', 'continue'], { error: CONTEXT }).default('fresh'),
});
export type RalphLoopOptions = z.output<typeof RalphLoopOptions>;
