import type { App } from '../app/app.ts';
import type { FleetOptions, FleetWorker } from '../hosts/fleet/fleet-workers.ts';
import { Loops } from '../hosts/local/local-host.ts';
import type { LoopsOptions } from '../hosts/local/loops-options.ts';
import type { walledServers } from '../hosts/local/mcp/servers-behind-walls.ts';

// The hosts that the command line composes. Its other files know the use cases alone.
export type { KeyBudget } from '../hosts/fleet/key-budget.ts';
export type { WorkerNews } from '../hosts/fleet/fleet-workers.ts';
export type { PlacesOptions } from '../hosts/fleet/run-places.ts';
export type { WorkerRun } from '../hosts/fleet/worker-options.ts';
export type { LoopsOptions };

/** Runs of this process. Throws an `OptionsError`. */
export const localLoops = (options: LoopsOptions): App => new Loops(options);

/** A worker of the queue of a log. Read when it is needed: most commands start none. */
export async function fleetWorker(loops: App, options: FleetOptions): Promise<FleetWorker> {
  const fleet = await import('../hosts/fleet/fleet-workers.ts');
  return new fleet.FleetWorker(loops, options);
}

/** Starts MCP servers behind walls. Read when it is needed: most projects have none. */
export const serversBehindWalls: typeof walledServers = async (...of) => {
  const servers = await import('../hosts/local/mcp/servers-behind-walls.ts');
  return servers.walledServers(...of);
};
