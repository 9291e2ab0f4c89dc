import { z } from 'zod';
import { Hook, HOOK_MOMENTS, HookMoment } from '../../machines/hooks.ts';
import { timeout, TIMEOUT } from './amounts.ts';

const DEFAULT_TIMEOUT_MS = 60_000;
const DEFAULT_SILENCE_MS = 600_000;
const MAX_HOOKS = 20;

const MOMENT = `one of ${HOOK_MOMENTS.join(', ')}`;
const FORM = `{ on, command, tool, timeout, after }, with on as ${MOMENT}`;

const HookFields = z
  .strictObject(
    {
      on: z.enum(HookMoment.options, { error: MOMENT }),
      command: z.string({ error: 'a command' }).regex(/\S/, { error: 'a command' }),
      tool: z
        .string()
        .regex(/^[\w*.-]+$/, { error: "a tool's name, or a pattern with *" })
        .optional(),
      timeout: timeout(TIMEOUT).optional(),
      after: timeout(TIMEOUT).optional(),
    },
    { error: FORM },
  )
  .superRefine(({ on, tool, after }, context) => {
    if (tool !== undefined && !on.endsWith('tool'))
      context.addIssue({
        code: 'custom',
        path: ['tool'],
        message: 'no tool: only before-tool and after-tool have one',
      });
    if (after !== undefined && on !== 'silence')
      context.addIssue({ code: 'custom', path: ['after'], message: 'no time: only silence has one' });
  })
  .transform(({ on, command, tool, timeout: timeoutMs = DEFAULT_TIMEOUT_MS, after = DEFAULT_SILENCE_MS }): Hook => ({
    on,
    command,
    timeoutMs,
    ...(tool === undefined ? {} : { tool }),
    ...(on === 'silence' ? { afterMs: after } : {}),
  }));

/** Commands of a person that run at moments of a run. */
export const HooksOption = z
  .array(z.union([HookFields, Hook], { error: FORM }), { error: `a list of hooks: ${FORM}` })
  .max(MAX_HOOKS, { error: `at most ${MAX_HOOKS} hooks` });
