import type { RunSettings } from '../../../machines/settings.ts';
import { requestCommandAccess } from '../../actors/tools/request-command-access.ts';
import type { WalledRequest } from '../../ports/effect-tools.ts';
import type { CommandResult } from '../../actors/subprocess.ts';
import type { AttemptWalls, WallsMissing } from '../../actors/proof/agent-walls.ts';
import { refusalLine } from '../../evidence/wall-refusals.ts';
import { keptSessions } from '../../app/running/agent-sessions.ts';
import { KEPT_IN_WORKSPACE, sandboxPlan, type Walled } from './sandbox-plan.ts';

/** The walls of the oldest run end where there are more: they are built again for its next command. */
const MAX_STANDING = 16;

/** The result of a command, with a line on what its walls refused. */
function told(result: CommandResult, { sandbox, tools }: WalledRun, places: readonly string[]): CommandResult {
  if (result.kind === 'not_started') return result;
  const isCutOff = sandbox?.network !== 'all';
  const asks = tools.includes(requestCommandAccess.name) ? requestCommandAccess.name : null;
  const line = refusalLine({ places, output: result.output, kept: KEPT_IN_WORKSPACE, isCutOff, asks });
  if (line === null) return result;
  const refused = places.length > 0 ? { refused: places } : {};
  const separator = result.output === '' || result.output.endsWith('\n') ? '' : '\n';
  return { ...result, ...refused, output: `${result.output}${separator}${line}\n` };
}

type WalledRun = Walled & Pick<RunSettings, 'tools'> & Partial<Pick<RunSettings, 'parent'>>;

interface Standing {
  readonly run: string;
  /** The settings that they were built by. */
  readonly sandbox: string | undefined;
  readonly walls: Promise<AttemptWalls | WallsMissing>;
}

/** The walls of the runs of this process, by run or by the call that has its own: built for the first command. */
export class Sandboxes {
  readonly #standing = new Map<string, Standing>();

  /** Runs a command of a run behind its walls. Where they do not stand, it does not run. */
  async run(settings: WalledRun, { apart, ...request }: WalledRequest): Promise<CommandResult> {
    const key = apart === undefined ? request.run : `${request.run} ${apart}`;
    const walls = await this.#of(key, settings, request.run);
    if (!('missing' in walls)) {
      const result = await walls.run(request).finally(() => apart !== undefined && this.#end(key, walls));
      return told(result, settings, walls.refused());
    }
    this.#standing.delete(key);
    return { kind: 'not_started', message: `the walls of this run do not stand: ${walls.missing}` };
  }

  /** The walls of a run, for a program that stays behind them. `missing`: they do not stand. */
  async enter(run: string, settings: WalledRun): Promise<Pick<AttemptWalls, 'enter'> | WallsMissing> {
    const walls = await this.#of(run, settings, run);
    if ('missing' in walls) this.#standing.delete(run);
    return walls;
  }

  /** Ends those of runs, and all that is left there. */
  async end(isOf: (run: string) => Promise<boolean>): Promise<void> {
    for (const [key, { run, walls }] of this.#standing) if (await isOf(run)) await this.#end(key, walls);
  }

  async #of(
    key: string,
    settings: Walled & Partial<Pick<RunSettings, 'parent'>>,
    run: string,
  ): Promise<AttemptWalls | WallsMissing> {
    const sandbox = JSON.stringify(settings.sandbox);
    const known = this.#standing.get(key);
    if (known?.sandbox === sandbox) return known.walls;
    // A person has opened more since: walls that stand are not changed.
    if (known) await this.#end(key, known.walls);
    const [oldest] = this.#standing.size >= MAX_STANDING ? this.#standing : [];
    if (oldest) await this.#end(oldest[0], oldest[1].walls);
    const made = import('../../actors/proof/agent-walls.ts').then(async ({ standWalls }) =>
      standWalls({ ...(await sandboxPlan(settings)), homeFolders: await keptSessions(run, settings) }),
    );
    this.#standing.set(key, { run, sandbox, walls: made });
    // A folder that was gone may be there for the next command.
    made.catch(() => this.#standing.delete(key));
    return made;
  }

  async #end(key: string, standing: AttemptWalls | Promise<AttemptWalls | WallsMissing>): Promise<void> {
    this.#standing.delete(key);
    const walls = await Promise.resolve(standing).catch(() => null);
    if (walls && !('missing' in walls)) await walls.end();
  }
}
