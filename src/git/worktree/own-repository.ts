import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { OWN_PATTERNS } from '../../text/own-files.ts';
import { git, gitLine } from '../process/git.ts';
import type { OriginRepository } from './origin-repository.ts';

// A worktree of a run has a repository of its own, which borrows the objects of the origin: a worktree that
// `git worktree add` makes shares branches, tags and the stash with the user's, and so would every command of a model.

const AUTHOR = ['user.name=loopfold', 'user.email=loopfold@localhost'];
const MESSAGE = 'The workspace as the run found it: files that were not committed yet are in this commit';
/** Refs that a run may look at. It gets copies. */
const VISIBLE = ['refs/heads', 'refs/tags', 'refs/remotes', 'refs/replace'];

/** Makes the repository of a worktree in an existing folder, and nothing in the origin. */
export async function makeRepository(top: string, origin: OriginRepository): Promise<void> {
  const own = join(top, '.git');
  await Promise.all(
    ['objects/info', 'objects/pack', 'refs/heads', 'info'].map((folder) =>
      mkdir(join(own, folder), { recursive: true }),
    ),
  );
  const [refs, exclude] = await Promise.all([
    git(['for-each-ref', '--format=%(objectname) %(refname)', ...VISIBLE], { directory: origin.root }),
    readFile(join(origin.common, 'info/exclude'), 'utf8').catch(() => ''),
  ]);
  await Promise.all([
    writeFile(join(own, 'objects/info/alternates'), `${origin.objects}\n`),
    writeFile(join(own, 'packed-refs'), refs),
    writeFile(join(own, 'info/exclude'), `${exclude}\n${OWN_PATTERNS}`),
    writeFile(join(own, 'config'), configOf(origin)),
    // Git looks for a repository where HEAD is: it has to be there before the commit.
    writeFile(join(own, 'HEAD'), `${origin.head?.commit ?? 'ref: refs/heads/main'}\n`),
    copyIfThere(join(origin.common, 'shallow'), join(own, 'shallow')),
    ...(origin.settings.isSparse ? [copyIfThere(origin.sparsePatterns, join(own, 'info/sparse-checkout'))] : []),
  ]);
}

/**
 * Detaches `HEAD` of that repository: at the origin's commit where the tree is the same, else at a commit of the tree
 * with the origin's as its parent.
 */
export async function detachAt(top: string, tree: string, origin: OriginRepository): Promise<void> {
  if (origin.head?.tree === tree) return;
  const parent = origin.head ? ['-p', origin.head.commit] : [];
  const commit = await gitLine(['commit-tree', tree, ...parent, '-m', MESSAGE], { directory: top, settings: AUTHOR });
  await writeFile(join(top, '.git/HEAD'), `${commit}\n`);
}

/** The origin's settings hold here too: the user's name, filters, line ends. */
function configOf({ common, objectFormat, settings }: OriginRepository): string {
  const { isSparse, isCone, partialClone } = settings;
  const extensions = [
    ...(objectFormat === 'sha1' ? [] : [`\tobjectFormat = ${objectFormat}`]),
    ...(partialClone === null ? [] : [`\tpartialClone = ${quoted(partialClone)}`]),
  ];
  return [
    '[include]',
    `\tpath = ${quoted(join(common, 'config'))}`,
    '[core]',
    `\trepositoryFormatVersion = ${extensions.length === 0 ? 0 : 1}`,
    '\tbare = false',
    `\tsparseCheckout = ${isSparse}`,
    `\tsparseCheckoutCone = ${isCone}`,
    ...(extensions.length === 0 ? [] : ['[extensions]', ...extensions]),
    '[lfs]',
    `\tstorage = ${quoted(join(common, 'lfs'))}`,
    '',
  ].join('\n');
}

const quoted = (value: string) => `"${value.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n')}"`;

export async function copyIfThere(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  await copyFile(from, to).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
}
