import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { RunSettings, Sandbox } from '../../../machines/settings.ts';
import { type NetworkReach, reachPlus } from '../../../machines/command-reach.ts';
import { type AgentNeeds, needsOf } from '../../agents/agent-needs.ts';
import { standWalls } from '../../actors/proof/agent-walls.ts';
import { requestCommandAccess } from '../../actors/tools/request-command-access.ts';
import { requestReadAccess } from '../../actors/tools/request-read-access.ts';
import type { RunOptions } from '../../config/options.ts';
import type { WantedSandbox } from '../../ports/services.ts';
import { homeOfPerson } from '../../verification/proof-places.ts';
import { EnvironmentError } from '../../actors/environment-error.ts';
import { resolvedReach } from './registry-reach.ts';
import { sandboxPlan } from './sandbox-plan.ts';

const NO_WALLS =
  'There are no walls around the commands of the agent: they reach all that you reach, such as your files, the network, and keys in the environment of the shell that you started this from';

/**
 * The walls around the commands of a run that is about to start. They are built once to know whether they stand. Throws
 * an `EnvironmentError` where they are required and do not.
 */
export async function wantedSandbox(
  { sandbox = 'try', network, sandboxWrite = [], sandboxLimits }: RunOptions,
  settings: Pick<RunSettings, 'directory' | 'isolation' | 'model' | 'tools'>,
  ofChildren: readonly string[] = [],
): Promise<WantedSandbox> {
  const agents = [settings.model, ...ofChildren].flatMap((model) => needsOf(model, process.env) ?? []);
  if (sandbox === 'off' || (settings.tools.length === 0 && agents.length === 0)) return { settings: {}, warnings: [] };
  const wanted: Sandbox = {
    network: agents.reduce(
      (reach: NetworkReach, agent) => reachWith(reach, network, agent),
      await resolvedReach(network, settings.directory),
    ),
    writable: await Promise.all(sandboxWrite.map(realPlace)),
    ...(sandboxLimits === undefined ? {} : { limits: sandboxLimits }),
  };
  const walls = await standWalls(await sandboxPlan({ ...settings, sandbox: wanted }));
  if (!('missing' in walls)) {
    await walls.end();
    return { settings: { sandbox: wanted, tools: withAsking(settings.tools) }, warnings: [] };
  }
  const { missing } = walls;
  if (sandbox === 'required')
    throw new EnvironmentError(
      'no_walls',
      `Walls around the commands of the agent cannot stand here: ${missing}. Leave out --sandbox required, or run it where they can.`,
    );
  return { settings: {}, warnings: [`${NO_WALLS}. They cannot stand here: ${missing}.`] };
}

/** A reach with what an agent of others needs of the network. Where that is not known and none was named, it is all. */
function reachWith(reach: NetworkReach, asked: string | undefined, agent: AgentNeeds): NetworkReach {
  if (agent.reach === null) return asked === undefined ? 'all' : reach;
  return reachPlus(reach, agent.reach);
}

/** Adds the tool that asks for what walls refuse, where the model may ask for access at all. */
const withAsking = (tools: readonly string[]): string[] =>
  tools.includes('shell') && tools.includes(requestReadAccess.name)
    ? [...new Set([...tools, requestCommandAccess.name])]
    : [...tools];

/** `~` is the home. Throws an `EnvironmentError` where the path is not there: nothing could be opened. */
async function realPlace(path: string): Promise<string> {
  const absolute = resolve(path.replace(/^~(?=\/|$)/, homeOfPerson()));
  return realpath(absolute).catch(() => {
    throw new EnvironmentError('no_walls', `--sandbox-write ${path} is not there. Make it first: mkdir -p ${absolute}`);
  });
}
