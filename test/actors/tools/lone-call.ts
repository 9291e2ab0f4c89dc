import type { Json } from '../../../src/log/envelope.ts';
import { builtinTools } from '../../../src/actors/tools/builtin.ts';
import { toolActor } from '../../../src/actors/tools/tool-actor.ts';

/** One actor for many calls, in this process or in one that is no test. Each call comes to what it yields first. */
export function caller(directory: string) {
  const actor = toolActor(builtinTools());
  return async (tool: string, args: Json) => {
    const input = { callId: '0.0', tool, arguments: args, directory, environment: [], readable: [] };
    const call = { id: 'lone/3/0', attempt: 1, signal: new AbortController().signal, delta: () => {} };
    for await (const event of actor.execute(input, call)) return event;
    return null;
  };
}
