import { z } from 'zod';
import { RunOptions } from '../../config/options.ts';
import { MAX_LIMIT_KEY_CHARACTERS } from '../../log/queue-store.ts';

/** The caps that a submission may choose. */
export const SUBMITTED_CAPS = ['maxIterations', 'maxSteps', 'maxToolCalls', 'maxTokens', 'maxTime', 'maxCost'] as const;

const KEY = `a name of 1 to ${MAX_LIMIT_KEY_CHARACTERS} characters`;
const AT_ONCE = 'a whole number of runs, 1 or more';
const START = 'a time such as 2026-03-01T12:00:00Z';

const { prompt, labels, ...options } = RunOptions.shape;

/** What a worker is told of a run: its task, its caps and its labels. Everything else is the worker's own. */
export const SubmittedTask = z.strictObject({
  prompt,
  labels,
  maxIterations: options.maxIterations,
  maxSteps: options.maxSteps,
  maxToolCalls: options.maxToolCalls,
  maxTokens: options.maxTokens,
  maxTime: options.maxTime,
  maxCost: options.maxCost,
});
export type SubmittedTask = z.input<typeof SubmittedTask>;

/**
 * The options of a submission: a task, and when a worker may begin with it. Of one key at most `atOnce` runs are worked
 * on at the same time, 1 unless it says another number. `notBefore` is a time of RFC 3339.
 */
export const SubmitOptions = SubmittedTask.extend({
  key: z.string({ error: KEY }).min(1, { error: KEY }).max(MAX_LIMIT_KEY_CHARACTERS, { error: KEY }).optional(),
  atOnce: z.int({ error: AT_ONCE }).min(1, { error: AT_ONCE }).optional(),
  notBefore: z.iso.datetime({ offset: true, error: START }).optional(),
}).refine(({ key, atOnce }) => atOnce === undefined || key !== undefined, {
  error: 'a key beside atOnce',
  path: ['key'],
});
export type SubmitOptions = z.input<typeof SubmitOptions>;
