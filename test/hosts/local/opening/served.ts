import { lastValueFrom, toArray } from 'rxjs';
import { onTestFinished } from 'vitest';
import type { LoopEvent } from '../../../../machines/events.ts';
import type { RunOptions } from '../../../../src/config/options.ts';
import { Loops } from '../../../../src/hosts/local/local-host.ts';
import { memoryLog } from '../../../../src/log/sqlite/engine.ts';
import { environmentOn } from '../../../support/model-server/on-each-wire.ts';
import type { ServerScript } from '../../../support/model-server/script.ts';
import { modelServer, type ServedRequest } from '../../../support/model-server/server.ts';

export const eventsOf = async (loops: Loops, run: string) =>
  (await lastValueFrom(loops.events(run).pipe(toArray()))) as unknown as LoopEvent[];

/** A host whose models are all one server, which says this. */
export async function served(answers: ServerScript['answers'] = [{ text: 'Fixed.' }]) {
  const server = await modelServer({ answers });
  onTestFinished(server.close);
  const loops = new Loops({ log: memoryLog(), environment: environmentOn(server.url) });
  const start = async (options: RunOptions) => {
    const run = await loops.start({ model: 'openai-chat/m', ...options });
    const end = await run.done;
    const [started] = await eventsOf(loops, run.run);
    if (started?.type !== 'run.started') throw new Error('it has not started');
    return { run: run.run, end, settings: started.payload.settings };
  };
  return { server, loops, start };
}

/** The system prompt of a request, where each API has it. */
export function systemIn(request: ServedRequest | undefined): unknown {
  const said = (request?.body ?? {}) as {
    readonly messages?: readonly { readonly role: string; readonly content: unknown }[];
    readonly input?: readonly { readonly role: string; readonly content: unknown }[];
    readonly instructions?: string;
    readonly system?: readonly { readonly text: string }[];
    readonly systemInstruction?: { readonly parts: readonly { readonly text: string }[] };
  };
  const first = (said.messages ?? said.input)?.find(({ role }) => ['system', 'developer'].includes(role))?.content;
  switch (request?.wire) {
    case 'anthropic':
      return said.system?.[0]?.text;
    case 'google':
      return said.systemInstruction?.parts[0]?.text;
    default:
      return said.instructions ?? first;
  }
}
