import { z } from 'zod';

/** When a hook runs. Those of tools are a part of the call, the others tell what has happened. */
export const HOOK_MOMENTS = ['before-tool', 'after-tool', 'question', 'silence', 'end'] as const;
export const HookMoment = z.enum(HOOK_MOMENTS);
export type HookMoment = z.infer<typeof HookMoment>;

/** A command of a person that runs at a moment of a run, with what happened as JSON on its standard input. */
export const Hook = z.strictObject({
  on: HookMoment,
  /** Of tools: the name of the tool, or a pattern with `*`. Absent: every tool. */
  tool: z.string().optional(),
  command: z.string(),
  timeoutMs: z.int().positive(),
  /** Of silence: how long it lasts. */
  afterMs: z.int().positive().optional(),
});
export type Hook = z.infer<typeof Hook>;

/** The most hooks of one call. */
export const MAX_HOOKS = 50;

/** A hook of a tool that has run. */
export const RanHook = z.strictObject({
  on: z.enum(['before-tool', 'after-tool']),
  command: z.string(),
  /** It ended with 0 within its time: a call that it stands before may go on. */
  passed: z.boolean(),
  /** The end of what it printed, or why it did not end by itself. */
  said: z.string(),
  durationMs: z.int().nonnegative(),
});
export type RanHook = z.infer<typeof RanHook>;

/** A hook that has told of a question, of a silence, or of the end. */
export const ToldHook = z.strictObject({ ...RanHook.shape, on: z.enum(['question', 'silence', 'end']) });
export type ToldHook = z.infer<typeof ToldHook>;
