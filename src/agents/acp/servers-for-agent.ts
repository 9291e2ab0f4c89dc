import type { JsonObject } from '../json-object.ts';
import { within } from '../json-object.ts';
import type { McpServerSpec } from '../mcp/server-spec.ts';

/** The MCP servers that a session begins with. Those at an address are for agents that say that they speak so. */
export function handedServers(servers: readonly McpServerSpec[], hello: JsonObject): readonly JsonObject[] {
  const speaksHttp = within(hello, 'agentCapabilities', 'mcpCapabilities')['http'] === true;
  return servers.flatMap(({ name, at }): JsonObject[] => {
    if (!('url' in at)) return [{ name, command: at.command, args: [...at.args], env: pairs(at.env) }];
    return speaksHttp ? [{ type: 'http', name, url: at.url, headers: pairs(at.headers) }] : [];
  });
}

const pairs = (texts: Readonly<Record<string, string>>) =>
  Object.entries(texts).map(([name, value]) => ({ name, value }));
