import { standWalls } from '../../../actors/proof/agent-walls.ts';
import { type McpServers, startMcpServers } from '../../../agents/mcp/mcp-servers.ts';
import type { McpServerSpec } from '../../../agents/mcp/server-spec.ts';
import type { RunOptions } from '../../../config/options.ts';
import { resolvedReach } from '../registry-reach.ts';
import { sandboxPlan } from '../sandbox-plan.ts';

/** The options of a call that walls around its servers depend on. */
export type WalledBy = Pick<RunOptions, 'sandbox' | 'network'>;

/**
 * Starts MCP servers for the runs of a folder. Those that a file in the workspace names stay behind walls like those of
 * the commands of a run, where walls stand. Where they are required and do not stand, such servers do not start.
 */
export async function walledServers(
  specs: readonly McpServerSpec[],
  directory: string,
  { sandbox = 'try', network }: WalledBy,
): Promise<McpServers> {
  const isWalled = (spec: McpServerSpec) => spec.isOfWorkspace && !('url' in spec.at);
  if (sandbox === 'off' || !specs.some(isWalled)) return startMcpServers(specs, () => ({ directory, enter: null }));
  const reach = await resolvedReach(network, directory);
  const walls = await standWalls(
    await sandboxPlan({ directory, model: '', sandbox: { network: reach, writable: [] } }),
  );
  if ('missing' in walls)
    return withoutWalls(specs, directory, { isRequired: sandbox === 'required', isWalled }, walls.missing);
  const started = await startMcpServers(specs, (spec) => ({
    directory,
    enter: isWalled(spec) ? (command, environment) => walls.enter({ command, directory, environment }) : null,
  }));
  return {
    ...started,
    close: async () => {
      await started.close();
      await walls.end();
    },
  };
}

interface Unwalled {
  readonly isRequired: boolean;
  readonly isWalled: (spec: McpServerSpec) => boolean;
}

async function withoutWalls(
  specs: readonly McpServerSpec[],
  directory: string,
  { isRequired, isWalled }: Unwalled,
  missing: string,
): Promise<McpServers> {
  const names = specs
    .filter(isWalled)
    .map(({ name }) => name)
    .join(', ');
  const kept = isRequired ? specs.filter((spec) => !isWalled(spec)) : specs;
  const started = await startMcpServers(kept, () => ({ directory, enter: null }));
  const what = isRequired
    ? `MCP servers of the workspace are not started (${names})`
    : `No walls stand around MCP servers of the workspace (${names})`;
  return { ...started, warnings: [`${what}: ${missing}`, ...started.warnings] };
}
