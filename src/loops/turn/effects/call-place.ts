import type { ToolCall } from '../../../../machines/events.ts';
import type { RunSettings } from '../../../../machines/settings.ts';
import type { CommandRequest } from '../../../actors/subprocess.ts';
import type { ToolInput } from '../../../actors/tools/tool-actor.ts';
import { wholeOutputsOf } from '../../../actors/whole-output.ts';
import { withOpened } from '../../../kernel/access-through-walls.ts';
import { readableAfterYes } from '../../../permissions/call-ruling.ts';
import type { EffectServices } from '../../../ports/services.ts';
import { ruledBy } from '../../call-permissions.ts';
import type { HandlerMemory } from '../../shared/handler-memory.ts';
import type { TurnMemory } from '../memory.ts';

interface Around extends Pick<EffectServices, 'sandboxes'> {
  readonly run: string;
  readonly settings: RunSettings;
  readonly memory: HandlerMemory;
}

type CallPlace = Pick<ToolInput, 'directory' | 'environment' | 'readable' | 'runCommand'>;

/** The reach of one call: that of its run, with what people have opened to the run, and to this call alone. */
export function callPlace(call: ToolCall, { run, settings, memory, sandboxes }: Around): CallPlace {
  const { directory, environment = [], permissions } = settings;
  const outputs = [run, settings.parent?.run].flatMap((one) => (one && wholeOutputsOf(one)) ?? []);
  const allowed = permissions ? readableAfterYes(call, ruledBy(settings)) : [];
  const place = { directory, environment, readable: [...memory.readable, ...outputs, ...allowed] };
  if (!settings.sandbox) return place;
  const opened = (memory.judge.own as TurnMemory).walls.openedTo(call.callId);
  const sandbox = withOpened(settings.sandbox, [...memory.opened, ...opened]);
  const apart = opened.length > 0 ? call.callId : undefined;
  const runCommand = (request: CommandRequest) => sandboxes.run({ ...settings, sandbox }, { ...request, run, apart });
  return { ...place, runCommand };
}
