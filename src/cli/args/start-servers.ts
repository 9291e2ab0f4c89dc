import { handedOver, type McpServers } from '../../agents/mcp/mcp-servers.ts';
import { readAgentName } from '../../agents/agent-name.ts';
import type { Effective } from '../../config/load-config.ts';
import { plain } from '../../projections/phrases.ts';
import { McpMissingError } from '../../agents/mcp/load-client.ts';
import { serversBehindWalls } from '../hosts.ts';
import { Complaint } from '../pages/complaint.ts';
import { EXIT } from '../terminal/exit-status.ts';
import { namedServers } from './servers-by-name.ts';
import type { Called } from './session-config.ts';

/**
 * The MCP servers of a call, started, with what is missing said on stderr. Those for an agent of others are
 * started by that agent, and a dry run starts none. Throws a `Complaint` where they cannot be spoken to at all.
 */
export async function startedServers(called: Called, config: Effective): Promise<McpServers> {
  const { streams, flags, directory } = called;
  const { values } = config;
  if (flags['dryRun'] === true) return handedOver([]);
  const { specs, warnings } = await namedServers(called, config);
  const say = (said: readonly string[]) => {
    for (const one of said) streams.err.line(`warning: ${plain(one)}`);
  };
  say(warnings);
  if ([values.agent, ...(values.agents ?? [])].some((name) => readAgentName(name ?? '') !== null))
    return handedOver(specs);
  try {
    const started = await serversBehindWalls(specs, directory, values);
    say(started.warnings);
    return started;
  } catch (error) {
    if (!(error instanceof McpMissingError)) throw error;
    throw new Complaint(EXIT.environment, error.message, null, { cause: error });
  }
}
