import { mkdir, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { givePrivateGit } from '../git/worktree/proof-repository.ts';
import { bringWhole } from '../git/worktree/submodule-files.ts';
import { copiedPath, copyFolders, inCopy, makeHome, pointersHome } from '../actors/proof/proof-copy.ts';
import { removeTrees } from '../actors/proof/proof-folder.ts';
import { REPORT_FOLDER } from '../actors/proof/walls-script.ts';
import { makeReportPlace } from '../actors/verify/report-place.ts';
import { shownOfHome } from '../evidence/tool-homes.ts';
import { copyProvided, openedIn } from './laid-files.ts';
import { type MeteredPlace, meteredPlace } from './place-meter.ts';
import { CLOSED, layHeldOut } from './openings.ts';
import { homeOfPerson, type PlaceLeg, type ProofGround } from './proof-places.ts';

/** Legs in a copy, each of its own. */
export function copiedLegs(ground: ProofGround): MeteredPlace {
  const { mirror, origin, head, dependencies, provided, call } = ground;
  const place: PlaceLeg = async (leg, tree, open = CLOSED) => {
    const opened = await openedIn(ground, open);
    // The checks of the leg before have written into it.
    await removeTrees([call.directory, join(mirror.folder, leg)]);
    await mkdir(call.directory);
    await rm(call.index ?? '', { force: true });
    await bringWhole(tree, call, null, ground.workspace);
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
  return meteredPlace(place);
}
