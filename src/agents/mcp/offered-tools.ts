import { z } from 'zod';
import { defineTool } from '../../actors/tools/define-tool.ts';
import type { Tool } from '../../actors/tools/tool.ts';
import { plain } from '../../text/plain.ts';
import type { McpConnection } from './mcp-connection.ts';

const MAX_NAME_CHARS = 2_000;
const TIMEOUT_MS = 120_000;

const name = z.string().max(MAX_NAME_CHARS);

/**
 * Tools that read what servers offer beside tools: their resources and their prompts, listed and one by one. Empty
 * where no server has any.
 */
export function offeredTools(connections: readonly McpConnection[]): readonly Tool[] {
  const offering = (what: 'resources' | 'prompts') =>
    new Map(connections.flatMap((one) => (one.offers()[what] ? [[one.spec.name, one] as const] : [])));
  const [resources, prompts] = [offering('resources'), offering('prompts')];
  return [...(resources.size > 0 ? [readResource(resources)] : []), ...(prompts.size > 0 ? [readPrompt(prompts)] : [])];
}

const readResource = (servers: ReadonlyMap<string, McpConnection>): Tool =>
  defineTool({
    name: 'read_resource',
    description: `Reads a resource of an MCP server (${named(servers)}) by its uri, or lists them all without one.`,
    input: z.strictObject({ server: name, uri: name.optional() }),
    isAlwaysOffered: true,
    timeoutMs: TIMEOUT_MS,
    run: async ({ server, uri }, { signal }) => {
      const wanted = uri === undefined ? ({ kind: 'resources' } as const) : ({ kind: 'resource', uri } as const);
      return { output: plain(await serverIn(servers, server).reads(wanted, signal)) };
    },
  });

const readPrompt = (servers: ReadonlyMap<string, McpConnection>): Tool =>
  defineTool({
    name: 'read_prompt',
    description: `Reads a prompt of an MCP server (${named(servers)}) with its arguments, or lists them without a name.`,
    input: z.strictObject({ server: name, name: name.optional(), arguments: z.record(name, z.string()).default({}) }),
    isAlwaysOffered: true,
    timeoutMs: TIMEOUT_MS,
    run: async ({ server, name: prompt, arguments: given }, { signal }) => {
      const wanted =
        prompt === undefined ? ({ kind: 'prompts' } as const) : ({ kind: 'prompt', name: prompt, given } as const);
      return { output: plain(await serverIn(servers, server).reads(wanted, signal)) };
    },
  });

const named = (servers: ReadonlyMap<string, McpConnection>): string => [...servers.keys()].join(', ');

function serverIn(servers: ReadonlyMap<string, McpConnection>, server: string): McpConnection {
  const found = servers.get(server);
  if (!found) throw new Error(`no server ${server} has any: those that do are ${named(servers)}`);
  return found;
}
