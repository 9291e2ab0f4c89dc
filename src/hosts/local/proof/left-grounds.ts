import type { InheritedGround } from '../../../../machines/settings.ts';
import { git, type GitCall } from '../../../actors/workspace/git.ts';
import { originRepository } from '../../../actors/workspace/origin-repository.ts';
import { treeEntries } from '../../../actors/workspace/tree-change.ts';
import { ApprovedGrounds } from '../../../config/approved-grounds.ts';
import type { Log } from '../../../log/log.ts';
import { pathOf } from './base-grounds.ts';
import { leftByEarlier, newestEnd } from './earlier-runs.ts';

/**
 * The files among these that earlier runs of a log have changed, and that no person has approved or changed since.
 * Writes nothing: what the newest of them left is compared with the files as they are.
 */
export async function leftGrounds(
  log: Log,
  directory: string,
  isGround: (path: string) => boolean,
  userFolder: string,
): Promise<readonly InheritedGround[]> {
  const origin = await originRepository(directory);
  if (origin === null) return [];
  const { root, common } = origin;
  const call = { directory: root };
  const present = await newestEnd(log, call);
  if (present === null) return [];
  const approved = await new ApprovedGrounds(userFolder).of(common);
  const { left } = await leftByEarlier({ log, run: null, root, present, call, approved });
  if (left.size === 0) return [];
  const then = await treeEntries(present, call);
  const names = [...left.keys()].filter((name) => then.has(name) && !name.includes('\n'));
  const now = await hashesNow(names, call);
  return names
    .filter((name) => now.get(name) === then.get(name)?.hash)
    .map((name) => ({ path: pathOf(name), run: left.get(name)?.run ?? '' }))
    .filter(({ path }) => isGround(path));
}

/** The hash of each file as it is, without those that are gone. */
async function hashesNow(names: readonly string[], call: GitCall): Promise<ReadonlyMap<string, string>> {
  const hashes = await Promise.all(
    names.map(async (name) => {
      const asked = ['hash-object', '--no-filters', '--', Buffer.from(name, 'latin1').toString()];
      const said = await git(asked, call).catch(() => null);
      return [name, said === null ? '' : new TextDecoder().decode(said).trim()] as const;
    }),
  );
  return new Map(hashes);
}
