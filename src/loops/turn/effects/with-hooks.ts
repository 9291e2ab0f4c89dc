import type { LoopEvent, ToolCall } from '../../../../machines/events.ts';
import { type Hook, MAX_HOOKS, type RanHook } from '../../../../machines/hooks.ts';
import type { RunSettings } from '../../../../machines/settings.ts';
import { type HookPlace, runHook } from '../../../actors/run-hook.ts';
import type { Actor, EffectCall } from '../../../actors/actor.ts';
import { oneLine } from '../../../text/one-line.ts';
import { type ActorExecution, actorExecution } from '../../shared/effects/execution.ts';
import { starPattern } from '../../../text/star-pattern.ts';

const MAX_REASON_CHARS = 1_000;
const HOOK_DENIED = 'hook_denied';

type Called = Pick<ToolCall, 'tool' | 'arguments'>;

/** What happened, as a hook of a tool reads it. */
const happening = (on: Hook['on'], run: string, call: Called, more: object = {}) => ({
  hook: on,
  run,
  tool: call.tool,
  arguments: call.arguments,
  ...more,
});

/** The hooks that stand around a call of this tool. */
const hooksOf = (settings: Pick<RunSettings, 'hooks'>, on: Hook['on'], tool: string): readonly Hook[] =>
  (settings.hooks ?? [])
    .filter((hook) => hook.on === on && starPattern(hook.tool ?? '*').test(tool))
    .slice(0, MAX_HOOKS / 2);

/** Runs the hooks before a call, up to the first that does not let it through. */
export async function hooksBefore(
  call: Called,
  settings: Pick<RunSettings, 'hooks'>,
  place: HookPlace,
): Promise<readonly RanHook[]> {
  const ran: RanHook[] = [];
  for (const hook of hooksOf(settings, 'before-tool', call.tool)) {
    const end = await runHook(hook, happening('before-tool', place.run, call), place);
    ran.push({ on: 'before-tool', command: hook.command, ...end });
    if (!end.passed) break;
  }
  return ran;
}

/** A call that an actor carries out, with the hooks of its run around it: what they say is recorded with its result. */
export function withHooks<Input>(
  actor: Actor<Input>,
  input: Input & ToolCall,
  settings: RunSettings,
  run: string,
): ActorExecution {
  const execution = actorExecution(actor, input);
  const { callId, providerId, tool, arguments: given } = input;
  const call = { callId, providerId, tool, arguments: given };
  if ((settings.hooks ?? []).every(({ on }) => on !== 'before-tool' && on !== 'after-tool')) return execution;
  return {
    ...execution,
    async *execute(asked: EffectCall) {
      const { directory, environment: passes = [] } = settings;
      const place = { run, directory, passes, signal: asked.signal };
      const before = await hooksBefore(call, settings, place);
      const denied = before.find(({ passed }) => !passed);
      // Of a call that is told to stop the tool says what it has done: nothing.
      if (denied && !asked.signal.aborted) return yield deniedBy(denied, call, before);
      for await (const event of execution.execute(asked)) yield await withAfter(event, before);

      async function withAfter(event: LoopEvent, ran: readonly RanHook[]): Promise<LoopEvent> {
        if (event.type !== 'tool.completed' && event.type !== 'tool.failed') return event;
        const result =
          event.type === 'tool.completed' ? { output: event.payload.output } : { failed: event.payload.fault.message };
        const hooks = [...ran];
        for (const hook of hooksOf(settings, 'after-tool', call.tool)) {
          const end = await runHook(hook, happening('after-tool', run, call, result), place);
          hooks.push({ on: 'after-tool', command: hook.command, ...end });
        }
        return told(event, hooks);
      }
    },
  };
}

const deniedBy = (denied: RanHook, { callId, tool }: ToolCall, hooks: readonly RanHook[]): LoopEvent => ({
  type: 'tool.failed',
  payload: {
    callId,
    fault: { code: HOOK_DENIED, message: `${tool} did not run: a hook denies it${reasonOf(denied)}` },
    hooks: [...hooks],
  },
});

/** A hook after a call that fails is told to the model: it has looked at what the call has done. */
function told(event: Extract<LoopEvent, { type: 'tool.completed' | 'tool.failed' }>, hooks: RanHook[]): LoopEvent {
  if (hooks.length === 0) return event;
  const failing = hooks.filter(({ on, passed }) => on === 'after-tool' && !passed);
  if (event.type === 'tool.failed') return { ...event, payload: { ...event.payload, hooks } };
  const said = failing.map((hook) => `\n[a hook after this call does not pass${reasonOf(hook)}]`).join('');
  return { ...event, payload: { ...event.payload, output: `${event.payload.output}${said}`, hooks } };
}

const reasonOf = ({ said }: RanHook): string => (said === '' ? '' : `: ${oneLine(said, MAX_REASON_CHARS)}`);
