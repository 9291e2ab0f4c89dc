import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { RunSettings, Sandbox } from '../../../machines/settings.ts';
import { standWalls } from '../../actors/proof/agent-walls.ts';
import type { RunOptions } from '../../config/options.ts';
import { homeOfPerson } from './proof/proof-places.ts';
import { EnvironmentError } from './readiness.ts';
import { sandboxPlan } from './sandboxes.ts';

export interface WantedSandbox {
  readonly settings: { readonly sandbox?: Sandbox };
  readonly warnings: readonly string[];
}

const NO_WALLS =
  'There are no walls around the commands of the agent: they reach all that you reach, such as your keys and the network';

/**
 * The walls around the commands of a run that is about to start. They are built once to know whether they stand. Throws
 * an `EnvironmentError` where they are required and do not.
 */
export async function wantedSandbox(
  { sandbox = 'off', network = 'none', sandboxWrite = [] }: RunOptions,
  settings: Pick<RunSettings, 'directory' | 'isolation'>,
): Promise<WantedSandbox> {
  if (sandbox === 'off') return { settings: {}, warnings: [] };
  const wanted: Sandbox = { network, writable: await Promise.all(sandboxWrite.map(realPlace)) };
  const walls = await standWalls(await sandboxPlan({ ...settings, sandbox: wanted }));
  if (!('missing' in walls)) {
    await walls.end();
    return { settings: { sandbox: wanted }, warnings: [] };
  }
  const { missing } = walls;
  if (sandbox === 'required')
    throw new EnvironmentError(
      'no_walls',
      `Walls around the commands of the agent cannot stand here: ${missing}. Leave out --sandbox required, or run it where they can.`,
    );
  return { settings: {}, warnings: [`${NO_WALLS}. They cannot stand here: ${missing}.`] };
}

/** `~` is the home. */
async function realPlace(path: string): Promise<string> {
  const absolute = resolve(path.replace(/^~(?=\/|$)/, homeOfPerson()));
  return realpath(absolute).catch(() => absolute);
}
