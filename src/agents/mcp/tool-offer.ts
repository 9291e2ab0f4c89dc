import { z } from 'zod';
import type { Tool } from '../../actors/tools/tool.ts';
import { plain } from '../../text/one-line.ts';
import type { McpConnection } from './mcp-connection.ts';
import { keepContent } from '../../actors/whole-output.ts';
import type { KeepBlob } from './result-text.ts';

/** The run of an effect: `RUN/version/n`. */
export const runOf = (effect: string): string => effect.slice(0, Math.max(0, effect.indexOf('/')));

/** Keeps blobs where the tools of a run may read them. */
export const keepingFor =
  (run: string): KeepBlob =>
  (content, extension) =>
    keepContent(run, content, extension);

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

const ResourceInput = z.strictObject({ server: name, uri: name.optional() });
const PromptInput = z.strictObject({
  server: name,
  name: name.optional(),
  arguments: z.record(name, z.string()).default({}),
});

function readResource(servers: ReadonlyMap<string, McpConnection>): Tool {
  const tool: Tool<typeof ResourceInput> = {
    name: 'read_resource',
    description: `Reads a resource of an MCP server (${named(servers)}) by its uri, or lists them all without one.`,
    input: ResourceInput,
    isAlwaysOffered: true,
    timeoutMs: TIMEOUT_MS,
    run: async ({ server, uri }, { signal, effect }) => {
      const wanted = uri === undefined ? ({ kind: 'resources' } as const) : ({ kind: 'resource', uri } as const);
      return {
        output: plain(await serverIn(servers, server).reads(wanted, { signal, keep: keepingFor(runOf(effect)) })),
      };
    },
  };
  // The tool actor parses the input before each run.
  return tool as unknown as Tool;
}

function readPrompt(servers: ReadonlyMap<string, McpConnection>): Tool {
  const tool: Tool<typeof PromptInput> = {
    name: 'read_prompt',
    description: `Reads a prompt of an MCP server (${named(servers)}) with its arguments; without a name lists all.`,
    input: PromptInput,
    isAlwaysOffered: true,
    timeoutMs: TIMEOUT_MS,
    run: async ({ server, name: prompt, arguments: given }, { signal, effect }) => {
      const wanted =
        prompt === undefined ? ({ kind: 'prompts' } as const) : ({ kind: 'prompt', name: prompt, given } as const);
      return {
        output: plain(await serverIn(servers, server).reads(wanted, { signal, keep: keepingFor(runOf(effect)) })),
      };
    },
  };
  // The tool actor parses the input before each run.
  return tool as unknown as Tool;
}

const named = (servers: ReadonlyMap<string, McpConnection>): string => [...servers.keys()].join(', ');

function serverIn(servers: ReadonlyMap<string, McpConnection>, server: string): McpConnection {
  const found = servers.get(server);
  if (!found) throw new Error(`no server ${server} has any: those that do are ${named(servers)}`);
  return found;
}
