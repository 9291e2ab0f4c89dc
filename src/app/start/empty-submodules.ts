import { join } from 'node:path';
import type { GitCall } from '../../git/process/git.ts';
import { listNames, nameText } from '../../git/process/git-names.ts';
import { hasCommit, repositoriesOf } from '../../git/capture/inner-repositories.ts';
import { submodulesOf } from '../../git/worktree/submodule-files.ts';
import { modifiedIn } from '../../git/capture/files-not-captured.ts';
import { boundedRead } from '../../config/read-within.ts';
import { exists } from '../../config/places.ts';
import type { Lack } from '../../evidence/checkout-lacks.ts';

/** A pointer of Git LFS is shorter, by its definition. */
const MAX_POINTER_BYTES = 1024;
const POINTER = 'version https://git-lfs.github.com/spec/';
/** More files of Git LFS are not looked at. */
const MAX_POINTERS = 1_000;

/** Submodules that are not initialised in the folder. */
export async function unfilledSubmodules({ directory: root }: GitCall): Promise<readonly Lack[]> {
  const paths = [...(await submodulesOf(root)).keys()].map(nameText);
  const areThere = await Promise.all(paths.map((path) => exists(join(root, path, '.git'))));
  return paths.filter((_path, at) => !areThere[at]).map((path) => ({ path, kind: 'submodule', by: null }));
}

/** Tracked files whose content Git LFS has not fetched. */
export async function pointersIn(call: GitCall): Promise<readonly Lack[]> {
  const names = await listNames(['ls-files', '-z', ':(top,attr:filter=lfs)'], call);
  const paths = names.slice(0, MAX_POINTERS).map(nameText);
  const read = await Promise.all(paths.map((path) => boundedRead(join(call.directory, path), MAX_POINTER_BYTES)));
  const isPointer = (at: number) => read[at]?.kind === 'text' && read[at].text.startsWith(POINTER);
  return paths.filter((_path, at) => isPointer(at)).map((path) => ({ path, kind: 'pointer', by: null }));
}

/** Repositories within that git does not track: without a commit, or with changes that their commit does not have. */
export async function nestedIn(call: GitCall): Promise<readonly Lack[]> {
  const others = await listNames(['ls-files', '-z', '--others', '--exclude-standard'], call);
  const within = repositoriesOf(others);
  const found = await Promise.all(
    within.map(async (name): Promise<Lack | null> => {
      const path = nameText(name);
      if (!(await hasCommit(name, call))) return { path, kind: 'repository', by: null };
      const changed = await modifiedIn({ directory: join(call.directory, path) });
      return changed === '' ? null : { path, kind: 'uncommitted', by: null };
    }),
  );
  return found.filter((lack) => lack !== null);
}
