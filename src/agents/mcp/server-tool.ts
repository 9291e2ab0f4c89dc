import { createHash } from 'node:crypto';
import type { Tool as ServerTool } from '@modelcontextprotocol/client';
import { z } from 'zod';
import type { Tool } from '../../actors/tools/tool.ts';
import { isDeeperThan } from '../../log/json-depth.ts';
import { head } from '../../text/excerpt.ts';
import { plain } from '../../text/plain.ts';
import { keepingFor, runOf } from './kept-blobs.ts';
import { isObject } from '../json-object.ts';
import type { McpConnection } from './mcp-connection.ts';

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
export function serverTool(connection: McpConnection, { name, description, inputSchema }: ServerTool): Tool | null {
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
