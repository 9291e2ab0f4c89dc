import { GitError, askGit, git, type GitCall } from '../process/git.ts';
import { mainRootOf, worktreeFacts } from '../git-worktree.ts';

/** The repository that a worktree is made from. Paths are absolute. */
export interface OriginRepository {
  /** The top folder of the worktree that holds the folder given. */
  readonly root: string;
  /** The folder given, from there: empty, or ending in a slash. */
  readonly prefix: string;
  /** The top folder of the main worktree. */
  readonly mainRoot: string;
  /** The git directory that all its worktrees share. */
  readonly common: string;
  readonly index: string;
  readonly objects: string;
  /** The patterns of a sparse checkout; the file may be missing. */
  readonly sparsePatterns: string;
  readonly objectFormat: string;
  /** The commit that is checked out, and its tree. Null before the first commit. */
  readonly head: { readonly commit: string; readonly tree: string } | null;
  readonly settings: OriginSettings;
}

export interface OriginSettings {
  readonly isSparse: boolean;
  readonly isCone: boolean;
  /** Git stores other line ends than files have, or goes by a file of attributes outside of the worktree. */
  readonly converts: boolean;
  readonly partialClone: string | null;
}

/** Null outside git, and in a bare repository. Throws a `GitError` where git refuses to answer. */
export async function originRepository(directory: string): Promise<OriginRepository | null> {
  const facts = await worktreeFacts(
    [
      '--show-prefix',
      '--git-dir',
      '--git-common-dir',
      '--git-path index',
      '--git-path objects',
      '--git-path info/sparse-checkout',
      '--show-object-format',
    ],
    { directory },
  );
  if (facts === null) return null;
  const [
    root = '',
    prefix = '',
    own = '',
    common = '',
    index = '',
    objects = '',
    sparsePatterns = '',
    objectFormat = '',
  ] = facts;
  const [mainRoot, head, settings] = await Promise.all([
    mainRootOf(root, own, common),
    headOf({ directory }),
    settingsOf({ directory }),
  ]);
  return { root, prefix, mainRoot, common, index, objects, sparsePatterns, objectFormat, head, settings };
}

async function headOf(call: GitCall): Promise<OriginRepository['head']> {
  const input = new TextEncoder().encode('HEAD^{commit}\nHEAD^{tree}\n');
  const said = new TextDecoder().decode(
    await git(['cat-file', '--batch-check=%(objecttype) %(objectname)'], { ...call, input }),
  );
  const [, commit] = /^commit ([\da-f]+)$/m.exec(said) ?? [];
  const [, tree] = /^tree ([\da-f]+)$/m.exec(said) ?? [];
  return commit === undefined || tree === undefined ? null : { commit, tree };
}

/** Each call of git sets `core.sparseCheckout` itself: only what files say of it counts. */
async function settingsOf(call: GitCall): Promise<OriginSettings> {
  const pattern = '^(core\\.(sparsecheckout(cone)?|autocrlf|attributesfile)|extensions\\.partialclone)$';
  const asked = ['config', '--null', '--show-scope', '--get-regexp', pattern];
  const { exitCode, stdout, stderr } = await askGit(asked, call);
  // 1: none of them is set.
  if (exitCode > 1) throw new GitError('git_failed', 'config', stderr);
  const parts = new TextDecoder().decode(stdout).split('\0');
  const values = new Map<string, string>();
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const [name = '', ...value] = (parts[at + 1] ?? '').split('\n');
    if (parts[at] !== 'command' || !name.startsWith('core.sparse')) values.set(name, value.join('\n'));
  }
  return {
    isSparse: values.get('core.sparsecheckout') === 'true',
    isCone: values.get('core.sparsecheckoutcone') === 'true',
    converts: values.has('core.attributesfile') || (values.get('core.autocrlf') ?? 'false') !== 'false',
    partialClone: values.get('extensions.partialclone') ?? null,
  };
}
