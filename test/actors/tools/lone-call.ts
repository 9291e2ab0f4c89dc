import type { Json } from '../../../src/log/envelope.ts';
import { builtinTools } from '../../../src/actors/tools/builtin.ts';
import { toolActor } from '../../../src/actors/tools/tool-actor.ts';

/** What one call yields, in a process that is no test. */
export async function calling(directory: string, tool: string, args: Json): Promise<unknown> {
  const input = { callId: '0.0', tool, arguments: args, directory, environment: [], readable: [] };
  const call = { id: 'run/3/0', attempt: 1, signal: new AbortController().signal, delta: () => {} };
  const [event] = await Array.fromAsync(toolActor(builtinTools()).perform(input, call));
  return event;
}
