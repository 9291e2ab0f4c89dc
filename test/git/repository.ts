import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { runGit } from '../../src/git/process/git-process.ts';
import { absent } from '../support/absent.ts';

export type Content = string | Uint8Array;

/** A real folder that vanishes with the test. */
export async function temporaryFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'loopfold-git-')));
  // A git that was told to stop may still be writing.
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

/** A real git repository, with no settings but its own. */
export async function repository(files: Readonly<Record<string, Content>> = {}, options: readonly string[] = []) {
  const above = await temporaryFolder();
  // What is written beside it, by those that try to leave it, is in a folder of its own, too.
  const root = join(above, basename(above));
  await mkdir(root);
  await git(root, 'init', '--quiet', '--initial-branch=main', ...options);
  await write(root, files);
  return {
    root,
    git: (...args: string[]) => git(root, ...args),
    write: (more: Readonly<Record<string, Content>>) => write(root, more),
    commit: async (message = 'a commit') => {
      await git(root, 'add', '--all');
      await git(root, 'commit', '--quiet', '--no-verify', `--message=${message}`);
    },
    /** The files of a capture, as `path` to content. */
    filesOf: async (ref: string) => {
      const files: Record<string, string> = {};
      const listed = await git(root, 'ls-tree', '-r', '-z', '--name-only', ref);
      for (const path of listed.split('\0').filter((name) => name !== '')) {
        files[path] = await git(root, 'cat-file', 'blob', `${ref}:${path}`);
      }
      return files;
    },
    /** All that a capture must leave as it is. */
    untouched: async () => ({
      index: (await readFile(join(root, '.git/index')).catch(() => Buffer.from('none'))).toString('hex'),
      head: await readFile(join(root, '.git/HEAD'), 'utf8'),
      heads: await git(root, 'for-each-ref', 'refs/heads', 'refs/tags'),
      stashes: await git(root, 'stash', 'list'),
      status: await git(root, 'status', '--porcelain=v2', '-z', '--branch'),
    }),
  };
}

const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;
const TIMEOUT_MS = 120_000;

/** Started by a kept shell: a start by this process, which is large, takes ten times as long. */
export async function git(directory: string, ...args: readonly string[]): Promise<string> {
  const ending = await runGit({
    args: ['-C', directory, ...args],
    environment: {
      PATH: process.env['PATH'],
      HOME: absent(),
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_OPTIONAL_LOCKS: '0',
      GIT_AUTHOR_NAME: 'Ada',
      GIT_AUTHOR_EMAIL: 'ada@example.org',
      GIT_COMMITTER_NAME: 'Ada',
      GIT_COMMITTER_EMAIL: 'ada@example.org',
    },
    timeoutMs: TIMEOUT_MS,
    maxOutputBytes: MAX_OUTPUT_BYTES,
  });
  const said = ending.kind === 'exited' ? Buffer.from(ending.stderr).toString() : JSON.stringify(ending);
  if (ending.kind !== 'exited' || ending.exitCode !== 0) throw new Error(`git ${args.join(' ')}: ${said}`);
  return Buffer.from(ending.stdout).toString();
}

async function write(root: string, files: Readonly<Record<string, Content>>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), content);
  }
}
