import { realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { RunSettings } from '../../../machines/settings.ts';
import type { CommandRequest, CommandResult } from '../../actors/subprocess.ts';
import type { AttemptPlan } from '../../actors/proof/agent-walls-script.ts';
import type { AttemptWalls, WallsMissing } from '../../actors/proof/agent-walls.ts';
import { identityOf } from '../../actors/workspace/user-email.ts';
import { originRepository } from '../../actors/workspace/origin-repository.ts';
import { isWithin } from '../../actors/tools/confine.ts';
import { CONFIG_NAMES } from '../../config/config-names.ts';
import { OWN_FOLDER } from '../../log/own-folder.ts';
import { agentHomes, KEPT_PATHS } from '../../evidence/agent-homes.ts';
import { homeOfPerson } from './proof/proof-places.ts';

type Walled = Pick<RunSettings, 'directory' | 'isolation' | 'sandbox'>;

/** Paths of a workspace that its commands do not change. */
export const KEPT_IN_WORKSPACE: readonly string[] = [...KEPT_PATHS, OWN_FOLDER, ...CONFIG_NAMES];

/** The walls of the oldest run end where there are more: they are built again for its next command. */
const MAX_STANDING = 16;

/** The reach of the commands of a run: its workspace, its repository but for what git obeys, and tools in the home. */
export async function sandboxPlan({ directory, isolation, sandbox }: Walled): Promise<Omit<AttemptPlan, 'scratch'>> {
  const top = await realpath(directory);
  const origin = await originRepository(isolation?.origin ?? top).catch(() => null);
  const roots = [...new Set([top, ...(origin ? [origin.mainRoot, origin.root] : [])])];
  const { network = 'none', writable = [] } = sandbox ?? {};
  const kept = roots.flatMap((root) => KEPT_IN_WORKSPACE.map((path) => join(root, path)));
  const isOpened = (path: string) => writable.some((one) => isWithin(one, path));
  return {
    home: await realpath(homeOfPerson()).catch(() => ''),
    node: dirname(await realpath(process.execPath)),
    network,
    toolHomes: agentHomes(),
    writable: [top, ...(origin ? [join(origin.mainRoot, '.git')] : []), ...writable],
    environment: await identityOf(top),
    // Its own worktree lies in a folder that is ours.
    kept: kept.filter((path) => !isOpened(path) && !isWithin(path, top)),
  };
}

/** The walls of the runs of this process, each built for the first command of its run. */
export class Sandboxes {
  readonly #standing = new Map<string, Promise<AttemptWalls | WallsMissing>>();

  /** Runs a command of a run behind its walls. Where they do not stand, it does not run. */
  async run(settings: Walled, request: CommandRequest & { readonly run: string }): Promise<CommandResult> {
    const walls = await this.#of(request.run, settings);
    if (!('missing' in walls)) return walls.run(request);
    this.#standing.delete(request.run);
    return { kind: 'not_started', message: `the walls of this run do not stand: ${walls.missing}` };
  }

  /** Ends those of runs, and all that is left there. */
  async end(isOf: (run: string) => Promise<boolean>): Promise<void> {
    for (const [run, walls] of this.#standing) if (await isOf(run)) await this.#end(run, walls);
  }

  async #of(run: string, settings: Walled): Promise<AttemptWalls | WallsMissing> {
    const known = this.#standing.get(run);
    if (known) return known;
    const [oldest] = this.#standing.size >= MAX_STANDING ? this.#standing : [];
    if (oldest) await this.#end(...oldest);
    const made = import('../../actors/proof/agent-walls.ts').then(async ({ standWalls }) =>
      standWalls(await sandboxPlan(settings)),
    );
    this.#standing.set(run, made);
    // A folder that was gone may be there for the next command.
    made.catch(() => this.#standing.delete(run));
    return made;
  }

  async #end(run: string, standing: Promise<AttemptWalls | WallsMissing>): Promise<void> {
    this.#standing.delete(run);
    const walls = await standing.catch(() => null);
    if (walls && !('missing' in walls)) await walls.end();
  }
}
