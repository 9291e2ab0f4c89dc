import type { LoopEvent, ToolCall } from '../../../../machines/events.ts';
import type { ServerQuestion } from '../../../../machines/server-question.ts';
import type { RunSettings } from '../../../../machines/settings.ts';
import type { Actor } from '../../../actors/actor.ts';
import type { CommandRequest } from '../../../actors/subprocess.ts';
import type { ToolInput } from '../../../actors/tools/tool-actor.ts';
import { listed } from '../../../text/list-text.ts';
import { questionAbout } from '../walls-question.ts';
import type { KeptShut, WallOpenings } from '../wall-openings.ts';

/**
 * The tools of a run behind walls. A command that fails because the walls refuse it a place of the network asks a
 * person, as a call does that a rule is about: with a yes it runs again, with this place open to it alone. The place is
 * one that our own gate has refused, or one that the command names: never one that a program has printed.
 */
export function askingAboutWalls(
  actor: Actor<ToolInput>,
  call: ToolCall,
  { settings, walls }: { readonly settings: RunSettings; readonly walls: WallOpenings },
): Actor<ToolInput> {
  if (!asksAboutWalls(settings)) return actor;
  return {
    ...actor,
    async *execute(input, effect) {
      const shut = walls.shutTo(call.callId);
      if (shut) return yield staysRefused(call, shut);
      let asks: ServerQuestion | null = null;
      const { runCommand } = input;
      const watched = runCommand && {
        runCommand: async (request: CommandRequest) => {
          const result = await runCommand(request);
          asks = questionAbout(call, result, settings);
          return result;
        },
      };
      for await (const event of actor.execute({ ...input, ...watched }, effect))
        yield event.type === 'tool.completed' && asks && walls.mayAsk(asks) ? asked(call, asks) : event;
    },
  };
}

/** Tells if a person is asked: only where the run has rules, and a person is there. */
const asksAboutWalls = ({ sandbox, permissions }: RunSettings): boolean =>
  sandbox !== undefined &&
  permissions !== undefined &&
  permissions.unattended !== true &&
  (permissions.profile === undefined ? permissions.rules.length > 0 : permissions.profile !== 'all');

const asked = ({ callId }: ToolCall, question: ServerQuestion): LoopEvent => ({
  type: 'server.asked',
  payload: { callId, question },
});

function staysRefused({ callId }: ToolCall, { question, answer }: KeptShut): LoopEvent {
  const places = listed(question.opens ?? [], 'and');
  const message =
    `the walls of this run refuse ${places}, and a person does not open that to this call (${answer}). ` +
    `Go on without it. It has run once, and printed:\n${question.message}`;
  return { type: 'tool.failed', payload: { callId, fault: { code: 'not_permitted', message } } };
}
