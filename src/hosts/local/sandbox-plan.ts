import { mkdir, readdir, realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { reachEntries } from '../../../machines/command-reach.ts';
import type { RunSettings } from '../../../machines/settings.ts';
import type { AttemptPlan } from '../../actors/proof/agent-walls-script.ts';
import { identityOf } from '../../git/git-worktree.ts';
import { originRepository } from '../../git/worktree/origin-repository.ts';
import { isWithin } from '../../actors/tools/confine.ts';
import { CONFIG_NAMES } from '../../config/config-names.ts';
import { OWN_FOLDER } from '../../log/own-folder.ts';
import { agentHomes, KEPT_PATHS } from '../../evidence/agent-homes.ts';
import { STATE_FILE } from '../../ralph/ralph-options.ts';
import { homeOfPerson } from '../../verification/proof-places.ts';
import { placesOfAgent } from './foreign-places.ts';
import { registrySettings, registryVariables } from './registry-reach.ts';

/** The settings of a run that its walls depend on. */
export type Walled = Pick<RunSettings, 'directory' | 'isolation' | 'model' | 'sandbox'>;

/** Paths of a workspace that its commands do not change. */
export const KEPT_IN_WORKSPACE: readonly string[] = [...KEPT_PATHS, OWN_FOLDER, ...CONFIG_NAMES];

/** Folders that git obeys where they are there: empty ones are made, since what is not there cannot be kept. */
const MADE: readonly string[] = ['.git/hooks', '.git/info'];

/** The paths below a root that commands do not change. In a Ralph loop its state file stays theirs to write. */
async function keptIn(root: string): Promise<readonly string[]> {
  const folder = join(root, '.claude');
  const names = await readdir(folder).catch((): readonly string[] => []);
  const paths = KEPT_IN_WORKSPACE.map((path) => join(root, path));
  if (!names.includes(basename(STATE_FILE))) return paths;
  const beside = names.filter((name) => name !== basename(STATE_FILE)).map((name) => join(folder, name));
  return [...paths.filter((path) => path !== folder), ...beside];
}

/** The reach of the commands of a run: its workspace, its repository but for what git obeys, and tools in the home. */
export async function sandboxPlan({
  directory,
  isolation,
  model,
  sandbox,
}: Walled): Promise<Omit<AttemptPlan, 'scratch'>> {
  const top = await realpath(directory);
  const origin = await originRepository(isolation?.origin ?? top).catch(() => null);
  const roots = [...new Set([top, ...(origin ? [origin.mainRoot, origin.root] : [])])];
  await Promise.all(origin ? MADE.map((path) => mkdir(join(origin.mainRoot, path)).catch(() => {})) : []);
  const { network = 'none', writable = [], limits } = sandbox ?? {};
  const installs = reachEntries(network).length > 0;
  const kept = (await Promise.all(roots.map(keptIn))).flat();
  const agent = await placesOfAgent(model);
  const isOpened = (path: string) => writable.some((one) => isWithin(one, path));
  return {
    home: await realpath(homeOfPerson()).catch(() => ''),
    node: dirname(await realpath(process.execPath)),
    network,
    limits,
    toolHomes: agentHomes(),
    writable: [
      top,
      ...(origin ? [join(origin.mainRoot, '.git')] : []),
      ...writable,
      ...agent.logins,
      ...agent.programs,
    ],
    environment: { ...(await identityOf(top)), ...(installs ? await registryVariables(top) : {}) },
    homeFiles: installs ? await registrySettings(top) : {},
    // Its own worktree lies in a folder that is ours.
    kept: [...kept.filter((path) => !isOpened(path) && !isWithin(path, top)), ...agent.programs],
  };
}
