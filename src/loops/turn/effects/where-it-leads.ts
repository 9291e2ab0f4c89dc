import type { ToolCall } from '../../../../machines/events.ts';
import type { RunSettings } from '../../../../machines/settings.ts';
import type { Actor } from '../../../actors/actor.ts';
import { ledElsewhere } from '../../../actors/real-paths.ts';
import { oneLine } from '../../../text/one-line.ts';
import type { ActorExecution } from '../../shared/effects/execution.ts';
import { withHooks } from './with-hooks.ts';
import { ruledBy } from '../../call-permissions.ts';

const MAX_PATH_CHARS = 500;
const NOT_PERMITTED = 'not_permitted';

/**
 * A call with the hooks of its run around it. It is not carried out where a symbolic link leads it to a place with a
 * stricter rule: it was admitted by the paths that it names, and only this machine knows where they lead now.
 */
export function whereItLeads<Input>(
  actor: Actor<Input>,
  call: Input & ToolCall,
  settings: RunSettings,
  run: string,
): ActorExecution {
  const execution = withHooks(actor, call, settings, run);
  if (!settings.permissions) return execution;
  return {
    ...execution,
    async *execute(asked) {
      const led = asked.signal.aborted ? null : await ledElsewhere(call, ruledBy(settings));
      if (!led) return yield* execution.execute(asked);
      const [path, real] = [led.path, led.real].map((one) => oneLine(one, MAX_PATH_CHARS));
      const next = led.action === 'ask' ? 'Name that place in the call, and a person is asked.' : 'Go on without it.';
      const message = `not permitted: ${path} leads to ${real} (${led.because}). ${next}`;
      yield { type: 'tool.failed', payload: { callId: call.callId, fault: { code: NOT_PERMITTED, message } } };
    },
  };
}
