import { copyFile, lstat, mkdir, realpath, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Elsewhere } from '../../../actors/elsewhere.ts';
import { bringMirror, type Mirror } from '../../../actors/proof/mirror.ts';
import { removeTrees } from '../../../actors/proof/proof-folder.ts';
import { copiedPath, copyFolders, inCopy, makeHome, pointersHome } from '../../../actors/proof/copied-proof.ts';
import { behindWalls, haveStood, makeLayers, walledPath, wallObstacle } from '../../../actors/proof/walls.ts';
import { REPORT_FOLDER, SEEN_REPORTS, type WallPlan } from '../../../actors/proof/walls-script.ts';
import { makeReportPlace, type ReportPlace } from '../../../actors/verify/report-place.ts';
import type { GitCall } from '../../../actors/workspace/git.ts';
import type { OriginRepository } from '../../../actors/workspace/origin-repository.ts';
import { shownOfHome } from '../../../evidence/tool-homes.ts';
import { bringTo, givePrivateGit } from '../../../actors/workspace/proof-repository.ts';
import { CLOSED, layHeldOut, type Openings } from './openings.ts';

/** What every leg is checked out for. */
export interface ProofGround {
  readonly mirror: Mirror;
  readonly origin: OriginRepository;
  /** The commit that was checked out when the run began. */
  readonly head: string | null;
  /** Folders of installed dependencies, from the top of the workspace. */
  readonly dependencies: readonly string[];
  /** The workspace of the person, which a worktree of a run is not. */
  readonly workspace: string;
  /** Files that git ignores: copies of them in a folder, and their paths from its top. */
  readonly provided: { readonly folder: string; readonly paths: readonly string[] };
  /** Paths in the home that checks may read, beside those of tools. */
  readonly homePaths: readonly string[];
  /** A folder that checks behind walls are not to read. */
  readonly hidden: string | undefined;
  /** The checkout's repository. */
  readonly call: GitCall;
  /** Files that checks rest on, from the top: what runs in a checkout is not to write to them. */
  readonly grounds: ReadonlySet<string>;
}

/** A tree that is checked out, and how its checks are run. */
export interface LegPlace {
  /** As checks see it. */
  readonly directory: string;
  readonly elsewhere: Elsewhere;
  readonly reports: ReportPlace;
  /** What leads from its dependencies into the workspace. */
  readonly pointers: readonly string[];
  /** Grounds that something has written to since, as far as that is known: in a copy it is not. */
  readonly touched: () => Promise<readonly string[]>;
}

/**
 * As legs are recorded. `start`: what the run began with. `base`: the work with the grounds of its start.
 * `work`: the work as it is.
 * `again`: the first two once more. `control`: the second, with tests that must fail or planted errors. `held-out`: the
 * first three, with the held-out files.
 */
export type LegName = 'start' | 'base' | 'work' | 'again' | 'control' | 'held-out';

/** The first leg, and the second, by their recorded names. */
export const FIRST_LEG = 'base' as const satisfies LegName;
export const SECOND_LEG = 'work' as const satisfies LegName;

/** Checks out the tree of a leg. */
export type PlaceLeg = (leg: string, tree: string, open?: Openings) => Promise<LegPlace>;

/** Why no walls can be built around a leg. Null: they can. */
export type ProbeWalls = (plan: WallPlan, signal: AbortSignal) => Promise<string | null>;

/** Legs at the workspace's own path, behind walls. With the reason where there can be none. */
export async function walledLegs(
  ground: ProofGround,
  signal: AbortSignal,
  probe: ProbeWalls = wallObstacle,
): Promise<{ readonly place: PlaceLeg; readonly obstacle: string | null }> {
  const { mirror, origin, head, dependencies, provided, call } = ground;
  const { folder } = mirror;
  const giveGit = () => givePrivateGit(call, origin, { head, borrowed: '../borrowed' });
  const plan = async (layers: string, opened: Opened): Promise<WallPlan> => ({
    proof: folder,
    layers,
    root: origin.root,
    inside: origin.prefix,
    home: await realpath(homeOfPerson()).catch(() => ''),
    objects: await realpath(origin.objects),
    node: dirname(await realpath(process.execPath)),
    hidden: ground.hidden,
    user: process.getuid?.() ?? 0,
    group: process.getgid?.() ?? 0,
    homePaths: shownOfHome([...ground.homePaths, ...opened.homePaths]),
    dependencies: [...dependencies, ...opened.folders],
  });
  const place: PlaceLeg = async (leg, tree, open = CLOSED) => {
    const opened = await openedIn(ground, open);
    await bringMirror(mirror, async (known) => {
      const entries = await bringTo(tree, call, known);
      await giveGit();
      return entries;
    });
    const walls = await plan(leg, opened);
    // What the checks of another leg of this name have written is not for these.
    await removeTrees([join(folder, leg)]);
    const { upper, touched } = await makeLayers(walls);
    await copyProvided(provided, upper);
    await copyProvided({ folder: ground.workspace, paths: opened.files }, upper);
    await layHeldOut(open, upper);
    const written = join(upper, origin.prefix);
    const reports = join(folder, leg, REPORT_FOLDER);
    await makeReportPlace(reports);
    return {
      directory: join(origin.root, origin.prefix),
      elsewhere: { run: behindWalls(walls, open.network), written, path: walledPath(walls) },
      reports: { folder: reports, seen: SEEN_REPORTS, tops: [origin.root] },
      pointers: [],
      touched: () => touched(ground.grounds),
    };
  };
  const walls = { ...(await plan('probe', await openedIn(ground, CLOSED))), inside: '' };
  if (probe === wallObstacle && haveStood(walls)) return { place, obstacle: null };
  if (mirror.seal === null) await giveGit();
  await makeLayers(walls);
  return { place, obstacle: await probe(walls, signal) };
}

/** Legs in a copy, each of its own. */
export function copiedLegs(ground: ProofGround): PlaceLeg {
  const { mirror, origin, head, dependencies, provided, call } = ground;
  return async (leg, tree, open = CLOSED) => {
    const opened = await openedIn(ground, open);
    // The checks of the leg before have written into it.
    await removeTrees([call.directory, join(mirror.folder, leg)]);
    await mkdir(call.directory);
    await rm(call.index ?? '', { force: true });
    await bringTo(tree, call, null);
    await givePrivateGit(call, origin, { head, borrowed: await realpath(origin.objects) });
    await copyProvided(provided, call.directory);
    await copyProvided({ folder: ground.workspace, paths: opened.files }, call.directory);
    await layHeldOut(open, call.directory);
    await copyFolders(origin.root, [...dependencies, ...opened.folders], call.directory);
    const homePaths = shownOfHome([...ground.homePaths, ...opened.homePaths]);
    const copy = { folder: join(mirror.folder, leg), root: origin.root, home: homeOfPerson(), homePaths };
    await makeHome(copy);
    const directory = join(call.directory, origin.prefix);
    const reports = join(mirror.folder, leg, REPORT_FOLDER);
    await makeReportPlace(reports);
    return {
      directory,
      elsewhere: { run: inCopy(copy), written: directory, path: copiedPath(copy) },
      reports: { folder: reports, seen: reports, tops: [call.directory, await realpath(call.directory)] },
      pointers: await pointersHome(origin.root, dependencies, call.directory),
      touched: async () => [],
    };
  };
}

async function copyProvided({ folder, paths }: ProofGround['provided'], top: string): Promise<void> {
  for (const path of paths) {
    await mkdir(dirname(join(top, path)), { recursive: true });
    await copyFile(join(folder, path), join(top, path));
  }
}

interface Opened extends Pick<Openings, 'homePaths'> {
  readonly files: readonly string[];
  readonly folders: readonly string[];
}

/** Folders are laid over those of the workspace at whose path a leg lies: a worktree of a run gets files alone. */
async function openedIn({ workspace, origin }: ProofGround, { ignored, homePaths }: Openings): Promise<Opened> {
  const found = await Promise.all(
    ignored.map(async (path) => ({ path, entry: await lstat(join(workspace, path)).catch(() => null) })),
  );
  const files = found.flatMap(({ path, entry }) => (entry?.isFile() ? [path] : []));
  const folders = found.flatMap(({ path, entry }) => (entry?.isDirectory() ? [path] : []));
  return { homePaths, files, folders: workspace === origin.root ? folders : [] };
}

/** As commands are told it. */
export const homeOfPerson = (): string => process.env['HOME'] ?? homedir();
