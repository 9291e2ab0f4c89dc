import { join } from 'node:path';
import type { GivenForm, ServerQuestion } from '../../../machines/server-question.ts';
import type { AskedBefore } from '../../../src/actors/tools/tool.ts';
import { onTestFinished } from 'vitest';
import { type McpServers, startMcpServers } from '../../../src/agents/mcp/mcp-servers.ts';
import type { McpServerSpec } from '../../../src/agents/mcp/server-spec.ts';
import { toolActor } from '../../../src/actors/tools/tool-actor.ts';
import type { ToolResult } from '../../../src/actors/tools/tool-result.ts';

const FAKE = join(import.meta.dirname, 'fake-server.process.ts');

/** The fake server under a name, with these variables. */
export const fake = (name = 'fake', env: Readonly<Record<string, string>> = {}): McpServerSpec => ({
  name,
  isOfWorkspace: false,
  at: { command: process.execPath, args: [FAKE], env },
});

/** Servers that end with the test. */
export async function started(specs: readonly McpServerSpec[], directory = process.cwd()): Promise<McpServers> {
  const servers = await startMcpServers(specs, () => ({ directory, enter: null }));
  onTestFinished(servers.close);
  return servers;
}

/** The result of a call, as a run records it. */
export async function called(
  { tools }: McpServers,
  tool: string,
  given = {},
  signal = new AbortController().signal,
  asked?: AskedBefore,
): Promise<ToolResult> {
  const input = {
    callId: '0.0',
    tool,
    arguments: given,
    directory: process.cwd(),
    environment: [],
    readable: [],
    asked,
  };
  const call = { id: 'r/1/1', attempt: 1, signal, delta: () => {} };
  for await (const event of toolActor(tools).execute(input, call)) return event as ToolResult;
  throw new Error(`${tool} has no result`);
}

/** A person is there, who has answered this so far. */
export const asking = (answers: readonly GivenForm[] = []): AskedBefore => ({ answers, isAttended: true });

/** The question that a call has ended with. */
export function questionIn(event: object): ServerQuestion {
  const { payload } = event as { readonly payload: { readonly question?: ServerQuestion } };
  if (!payload.question) throw new Error(`no question: ${JSON.stringify(event)}`);
  return payload.question;
}

export const saidBy = ({ payload }: ToolResult): string => {
  if ('output' in payload) return payload.output;
  return 'fault' in payload ? payload.fault.message : payload.reason;
};
