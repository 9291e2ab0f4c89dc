import { copyFile, mkdir, realpath, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Elsewhere } from '../../../actors/elsewhere.ts';
import { removeTree } from '../../../actors/proof/proof-folder.ts';
import { copiedPath, copyFolders, inCopy, makeHome, pointersHome } from '../../../actors/proof/copied-proof.ts';
import { behindWalls, makeLayers, walledPath, wallObstacle } from '../../../actors/proof/walls.ts';
import { REPORT_FOLDER, SEEN_REPORTS, type WallPlan } from '../../../actors/proof/walls-script.ts';
import { makeReportPlace, type ReportPlace } from '../../../actors/verify/report-place.ts';
import type { GitCall } from '../../../actors/workspace/git.ts';
import type { OriginRepository } from '../../../actors/workspace/origin-repository.ts';
import { bringTo, givePrivateGit } from '../../../actors/workspace/proof-repository.ts';

/** What every leg is checked out for. */
export interface ProofGround {
  /** The proof's own folder. */
  readonly folder: string;
  readonly origin: OriginRepository;
  /** The commit that was checked out when the run began. */
  readonly head: string | null;
  /** Folders of installed dependencies, from the top of the workspace. */
  readonly dependencies: readonly string[];
  /** Files that git ignores: copies of them in a folder, and their paths from its top. */
  readonly provided: { readonly folder: string; readonly paths: readonly string[] };
  /** The checkout's repository. */
  readonly call: GitCall;
}

/** A tree that is checked out, and how its checks are run. */
export interface LegPlace {
  /** As checks see it. */
  readonly directory: string;
  readonly elsewhere: Elsewhere;
  readonly reports: ReportPlace;
  /** What leads from its dependencies into the workspace. */
  readonly pointers: readonly string[];
}

/** `start`: what the run began with. `base`: the work with the grounds of its start. `work`: the work as it is. */
export type LegName = 'start' | 'base' | 'work';

/** Checks out the tree of a leg. */
export type PlaceLeg = (leg: string, tree: string) => Promise<LegPlace>;

/** Why no walls can be built around a leg. Null: they can. */
export type ProbeWalls = (plan: WallPlan, signal: AbortSignal) => Promise<string | null>;

/** Legs at the workspace's own path, behind walls. With the reason where there can be none. */
export async function walledLegs(
  ground: ProofGround,
  signal: AbortSignal,
  probe: ProbeWalls = wallObstacle,
): Promise<{ readonly place: PlaceLeg; readonly obstacle: string | null }> {
  const { folder, origin, head, dependencies, provided, call } = ground;
  const plan = async (layers: string): Promise<WallPlan> => ({
    proof: folder,
    layers,
    root: origin.root,
    inside: origin.prefix,
    home: await realpath(homeOfPerson()).catch(() => ''),
    objects: await realpath(origin.objects),
    node: dirname(await realpath(process.execPath)),
    user: process.getuid?.() ?? 0,
    group: process.getgid?.() ?? 0,
    dependencies,
  });
  const place: PlaceLeg = async (leg, tree) => {
    await bringTo(tree, call);
    await givePrivateGit(call, origin, { head, borrowed: '../borrowed' });
    const walls = await plan(leg);
    const upper = await makeLayers(walls);
    await copyProvided(provided, upper);
    const written = join(upper, origin.prefix);
    const reports = join(folder, leg, REPORT_FOLDER);
    await makeReportPlace(reports);
    return {
      directory: join(origin.root, origin.prefix),
      elsewhere: { run: behindWalls(walls), written, path: walledPath(walls) },
      reports: { folder: reports, seen: SEEN_REPORTS, tops: [origin.root] },
      pointers: [],
    };
  };
  await givePrivateGit(call, origin, { head, borrowed: '../borrowed' });
  const walls = await plan('probe');
  await makeLayers(walls);
  return { place, obstacle: await probe({ ...walls, inside: '' }, signal) };
}

/** Legs in a copy, each of its own. */
export function copiedLegs({ folder, origin, head, dependencies, provided, call }: ProofGround): PlaceLeg {
  return async (leg, tree) => {
    // The checks of the leg before have written into it.
    await removeTree(call.directory);
    await mkdir(call.directory);
    await rm(call.index ?? '', { force: true });
    await bringTo(tree, call);
    await givePrivateGit(call, origin, { head, borrowed: await realpath(origin.objects) });
    await copyProvided(provided, call.directory);
    await copyFolders(origin.root, dependencies, call.directory);
    const copy = { folder, root: origin.root, home: homeOfPerson() };
    await makeHome(copy);
    const directory = join(call.directory, origin.prefix);
    const reports = join(folder, leg, REPORT_FOLDER);
    await makeReportPlace(reports);
    return {
      directory,
      elsewhere: { run: inCopy(copy), written: directory, path: copiedPath(copy) },
      reports: { folder: reports, seen: reports, tops: [call.directory, await realpath(call.directory)] },
      pointers: await pointersHome(origin.root, dependencies, call.directory),
    };
  };
}

async function copyProvided({ folder, paths }: ProofGround['provided'], top: string): Promise<void> {
  for (const path of paths) {
    await mkdir(dirname(join(top, path)), { recursive: true });
    await copyFile(join(folder, path), join(top, path));
  }
}

/** As commands are told it. */
const homeOfPerson = (): string => process.env['HOME'] ?? homedir();
