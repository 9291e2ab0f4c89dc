import type { Tool } from '../../actors/tools/tool.ts';
import { foundTools, MAX_SHOWN_TOOLS } from './find-tools.ts';
import { loadClient } from './load-client.ts';
import { McpConnection } from './mcp-connection.ts';
import type { ServerPlace } from './process-transport.ts';
import { offeredTools, keepingFor, runOf } from './tool-offer.ts';
import type { McpServerSpec } from './server-spec.ts';
import { createHash } from 'node:crypto';
import type { Tool as ServerTool } from '@modelcontextprotocol/client';
import { z } from 'zod';
import { isDeeperThan } from '../../log/json-depth.ts';
import { head } from '../../text/excerpt.ts';
import { plain } from '../../text/one-line.ts';
import { isObject } from '../json-object.ts';

/** What every provider takes as the name of a tool. */
const MAX_NAME_CHARS = 64;
const MAX_DESCRIPTION_CHARS = 2_000;
const MAX_SCHEMA_CHARS = 16_000;
const MAX_SCHEMA_DEPTH = 20;
const DIGEST_CHARS = 8;

/** The time of a call with what the server needs to be told that it is over. */
const TIMEOUT_MS = 120_000;

/** `files__read_file`. A longer name ends in a digest of the whole. */
export function toolName(server: string, tool: string): string {
  const whole = `${server}__${tool}`.replace(/[^a-zA-Z0-9_-]/g, '_');
  if (whole.length <= MAX_NAME_CHARS && /^[a-zA-Z0-9_.-]+$/.test(tool)) return whole;
  const digest = createHash('sha256').update(`${server}\0${tool}`).digest('hex').slice(0, DIGEST_CHARS);
  return `${whole.slice(0, MAX_NAME_CHARS - DIGEST_CHARS - 1)}_${digest}`;
}

/**
 * A tool of a server as one of ours. What the server says of its effects is a claim, so a call is never repeated, and
 * what it says of the arguments is passed on to the model: the server checks them itself. Null: its schema is
 * missing, or too large to be shown.
 */
function serverTool(connection: McpConnection, { name, description, inputSchema }: ServerTool): Tool | null {
  if (!isObject(inputSchema) || inputSchema['type'] !== 'object') return null;
  if (isDeeperThan(MAX_SCHEMA_DEPTH, inputSchema) || JSON.stringify(inputSchema).length > MAX_SCHEMA_CHARS) return null;
  const { $schema: _, ...schema } = inputSchema;
  const input = z.looseObject({}).meta(schema);
  return {
    name: toolName(connection.spec.name, name),
    description: plain(
      head(description ?? `The tool ${name} of the server ${connection.spec.name}`, MAX_DESCRIPTION_CHARS),
    ),
    input,
    timeoutMs: TIMEOUT_MS,
    isAlwaysOffered: true,
    run: (given, { callId, effect, signal, delta, asked }) => {
      const run = runOf(effect);
      const how = { key: `${run}/${callId}`, signal, delta, asked, keep: keepingFor(run) };
      return connection.call(name, given as Readonly<Record<string, unknown>>, how);
    },
  };
}

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
