import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { InheritedGround } from '../../../machines/settings.ts';
import { git, type GitCall } from '../../git/process/git.ts';
import { originRepository } from '../../git/worktree/origin-repository.ts';
import { treeEntries } from '../../git/tree-change.ts';
import { ApprovedGrounds } from '../../config/grounds-approval.ts';
import type { Log } from '../../log/log.ts';
import { textOf } from '../../git/object-text.ts';
import { sameButFormat } from '../../evidence/same-but-format.ts';
import { isFile, type TreeEntry } from '../../evidence/tree-entry.ts';
import { pathOf } from '../../verification/trees-by-path.ts';
import { leftByEarlier, newestEnd } from './earlier-runs.ts';

/** Grounds that earlier runs changed, and that no person has approved. */
export interface LeftGrounds {
  /** They are what those have left, but for what a formatter does. */
  readonly left: readonly InheritedGround[];
  /** They are something else by now, and not what was there before. */
  readonly others: readonly InheritedGround[];
}

const NOTHING: LeftGrounds = { left: [], others: [] };

/**
 * The grounds that earlier runs of a log, or of none, have changed. Writes nothing: what the newest of them left is
 * compared with the files as they are.
 */
export async function leftGrounds(
  log: Log,
  directory: string,
  isGround: (path: string) => boolean,
  userFolder: string,
): Promise<LeftGrounds> {
  const origin = await originRepository(directory);
  if (origin === null) return NOTHING;
  const { root, common } = origin;
  const call = { directory: root };
  const present = await newestEnd(log, call);
  if (present === null) return NOTHING;
  const approved = await new ApprovedGrounds(userFolder).of(common);
  const { left, since } = await leftByEarlier({ log, run: null, root, present, call, approved });
  if (left.size === 0 && since.size === 0) return NOTHING;
  const then = await treeEntries(present, call);
  const found = [...left, ...since]
    .filter(([name]) => !name.includes('\n') && isGround(pathOf(name)))
    .map(([name, { run, entry }]) => {
      const later = since.get(name);
      const known = later ? later.left : (then.get(name) ?? null);
      return { name, path: pathOf(name), run, was: entry, left: known, isTheirs: later?.isTheirs ?? true };
    });
  const names = found.map(({ name }) => name);
  const now = await hashesNow(names, call);
  const sorted = await Promise.all(
    found.map(async (one) => [one, await kindOf(one, now.get(one.name) ?? '', call)] as const),
  );
  const of = (kind: Kind) => sorted.flatMap(([{ path, run }, is]) => (is === kind ? [{ path, run }] : []));
  return { left: of('left'), others: of('other') };
}

type Kind = 'left' | 'other' | 'none';

interface Found {
  readonly path: string;
  readonly was: TreeEntry | null;
  readonly left: TreeEntry | null;
  readonly isTheirs: boolean;
}

/** What is gone, or was put back, is named by nothing. */
async function kindOf({ path, was, left, isTheirs }: Found, hash: string, call: GitCall): Promise<Kind> {
  if (hash === '' || hash === was?.hash) return 'none';
  if (hash === left?.hash) return 'left';
  const [text, before, first] = await Promise.all([
    readFile(join(call.directory, path), 'utf8').catch(() => null),
    isFile(left) ? textOf(left.hash, call) : null,
    isFile(was) ? textOf(was.hash, call) : null,
  ]);
  if (text !== null && first !== null && sameButFormat(text, first)) return 'none';
  if (text !== null && before !== null && sameButFormat(text, before)) return 'left';
  return isTheirs ? 'other' : 'none';
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
