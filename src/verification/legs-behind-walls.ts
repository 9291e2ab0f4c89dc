import { realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { givePrivateGit } from '../git/worktree/proof-repository.ts';
import { bringWhole } from '../git/worktree/submodule-files.ts';
import { bringMirror } from '../actors/proof/mirror.ts';
import { removeTrees } from '../actors/proof/proof-folder.ts';
import { behindWalls, haveStood, makeLayers, walledPath, wallObstacle } from '../actors/proof/walls.ts';
import { REPORT_FOLDER, SEEN_REPORTS, type WallPlan } from '../actors/proof/walls-script.ts';
import { makeReportPlace } from '../actors/verify/report-place.ts';
import { shownOfHome } from '../evidence/tool-homes.ts';
import { copyProvided, type Opened, openedIn } from './laid-files.ts';
import { type MeteredPlace, meteredPlace } from './place-meter.ts';
import { CLOSED, layHeldOut } from './openings.ts';
import { homeOfPerson, type PlaceLeg, type ProbeWalls, type ProofGround } from './proof-places.ts';

/** Legs at the workspace's own path, behind walls. With the reason where there can be none. */
export async function walledLegs(
  ground: ProofGround,
  signal: AbortSignal,
  probe: ProbeWalls = wallObstacle,
): Promise<MeteredPlace & { readonly obstacle: string | null }> {
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
    caches: ground.caches.list,
    dependencies: [...dependencies, ...opened.folders],
  });
  const place: PlaceLeg = async (leg, tree, open = CLOSED) => {
    const opened = await openedIn(ground, open);
    await bringMirror(mirror, `${head} ${tree}`, async (known) => {
      const checkout = await bringWhole(tree, call, known, ground.workspace);
      await giveGit();
      return checkout;
    });
    const walls = await plan(leg, opened);
    // What the checks of another leg of this name have written is not for these.
    await removeTrees([join(folder, leg)]);
    const { upper, touched } = await makeLayers(walls);
    await ground.caches.lay(leg, mirror);
    await copyProvided(provided, upper);
    await copyProvided({ folder: ground.workspace, paths: opened.files }, upper);
    await layHeldOut(open, upper);
    const written = join(upper, origin.prefix);
    const reports = join(folder, leg, REPORT_FOLDER);
    await makeReportPlace(reports, SEEN_REPORTS);
    return {
      directory: join(origin.root, origin.prefix),
      elsewhere: { run: behindWalls(walls, open.network), written, path: walledPath(walls) },
      reports: { folder: reports, seen: SEEN_REPORTS, tops: [origin.root] },
      pointers: [],
      touched: () => touched(ground.grounds),
    };
  };
  const metered = meteredPlace(place);
  const walls = { ...(await plan('probe', await openedIn(ground, CLOSED))), inside: '', caches: [] };
  if (probe === wallObstacle && haveStood(walls)) return { ...metered, obstacle: null };
  if (mirror.seal === null) await giveGit();
  await makeLayers(walls);
  return { ...metered, obstacle: await probe(walls, signal) };
}
