import { chmod, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { git, repository, temporaryFolder } from '../../git/repository.ts';

/** A shared repository, one for captures, and a folder of workspaces that can be lost with its machine. */
export async function shared() {
  const above = await temporaryFolder();
  const [origin, captures, folder] = ['origin.git', 'captures.git', 'workspaces'].map((name) => join(above, name)) as [
    string,
    string,
    string,
  ];
  const first = await repository({ 'check.sh': 'test -f done.txt\n', 'a.txt': 'one\n' });
  await first.commit('first');
  const commit = (await first.git('rev-parse', 'HEAD')).trim();
  for (const bare of [origin, captures]) await git(above, 'init', '--quiet', '--bare', '--initial-branch=main', bare);
  await first.git('push', '--quiet', origin, 'HEAD:refs/heads/main');
  const hook = join(captures, 'hooks/pre-receive');
  return {
    origin,
    commit,
    places: { folder, repositories: [join(above, '*')], captures },
    /** Adds a file to the branch main. */
    commitFile: async (path: string, text: string) => {
      await writeFile(join(first.root, path), text);
      await first.commit(`add ${path}`);
      await first.git('push', '--quiet', origin, 'HEAD:refs/heads/main');
    },
    /** The disk of a machine is gone. */
    lose: () => rm(folder, { recursive: true, force: true }),
    /** The repository of captures takes nothing, until it is told to. */
    refuse: async () => {
      await writeFile(hook, '#!/bin/sh\necho full >&2\nexit 1\n');
      await chmod(hook, 0o755);
    },
    take: () => rm(hook),
    refsOf: async (run: string) =>
      new Map(
        (await git(captures, 'for-each-ref', '--format=%(objectname) %(refname)', `refs/loopfold/${run}/`))
          .trim()
          .split('\n')
          .map((line) => line.split(' ').toReversed() as [string, string]),
      ),
    filesOf: async (branch: string) => (await git(origin, 'ls-tree', '-r', '--name-only', branch)).trim().split('\n'),
  };
}
