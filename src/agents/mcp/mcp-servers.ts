import type { Tool } from '../../actors/tools/tool.ts';
import { foundTools, MAX_SHOWN_TOOLS } from './found-tools.ts';
import { loadClient } from './load-client.ts';
import { McpConnection } from './mcp-connection.ts';
import type { ServerPlace } from './process-transport.ts';
import { offeredTools } from './offered-tools.ts';
import { serverTool } from './server-tool.ts';
import type { McpServerSpec } from './server-spec.ts';

/** Tools of one server that are taken. */
const MAX_TOOLS = 1_000;

export interface McpServers {
  /** Offered to every run that has tools. */
  readonly tools: readonly Tool[];
  /** Those for an agent of others, which starts them by itself. */
  readonly handed: readonly McpServerSpec[];
  /** What is missing, in sentences: servers that did not start, and tools that were left out. */
  readonly warnings: readonly string[];
  /** Ends the servers, and what they have started. */
  readonly close: () => Promise<void>;
}

/**
 * Starts servers, and makes tools of ours of what they offer. One that does not start is a warning: the others are
 * there. Throws a `McpMissingError` where the SDK is not installed.
 */
export async function startMcpServers(
  specs: readonly McpServerSpec[],
  placeOf: (spec: McpServerSpec) => ServerPlace,
): Promise<McpServers> {
  if (specs.length === 0) return handedOver([]);
  const sdk = await loadClient();
  const connections = specs.map((spec) => new McpConnection(sdk, spec, placeOf(spec)));
  const warnings: string[] = [];
  const offered = await Promise.all(connections.map((connection) => toolsOf(connection, warnings)));
  const tools = new Map<string, Tool>();
  for (const tool of offered.flat()) {
    if (tools.has(tool.name)) warnings.push(`two tools of MCP servers are named ${tool.name}: the first is offered`);
    else tools.set(tool.name, tool);
  }
  const all = [...tools.values()];
  const beside = offeredTools(connections);
  return {
    tools: [...(all.length > MAX_SHOWN_TOOLS ? foundTools(all) : all), ...beside],
    handed: [],
    warnings,
    close: async () => {
      await Promise.all(connections.map((connection) => connection.close()));
    },
  };
}

/** Servers that are not started here, but by an agent of others. */
export const handedOver = (handed: readonly McpServerSpec[]): McpServers => ({
  tools: [],
  handed,
  warnings: [],
  close: async () => {},
});

async function toolsOf(connection: McpConnection, warnings: string[]): Promise<readonly Tool[]> {
  const { name } = connection.spec;
  try {
    const listed = await connection.tools();
    if (listed.length > MAX_TOOLS)
      warnings.push(`the server ${name} has ${listed.length} tools: ${MAX_TOOLS} are taken`);
    return listed.slice(0, MAX_TOOLS).flatMap((tool) => {
      const made = serverTool(connection, tool);
      if (!made) warnings.push(`the tool ${tool.name} of the server ${name} is left out: its schema cannot be shown`);
      return made ?? [];
    });
  } catch (error) {
    warnings.push(error instanceof Error ? error.message : String(error));
    return [];
  }
}
