import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeTemporaryFolder } from '../../log/temporary-folders.ts';
import { askGit, type GitCall, GitError, gitFacts, type RawRepository } from '../process/git.ts';

// What an agent writes into `.gitattributes` and `.git/config` makes git run commands: filters, monitors, helpers of a
// partial clone. So the files of a workspace are read and written under a git directory of ours, which has the objects
// of the repository and nothing else of it: what git records there is the bytes of each file, and it runs nothing.

/** Where the objects of a repository are, and their format, such as `sha1`. */
export interface ObjectStore {
  readonly objects: string;
  readonly format: string;
}

/** A call that reads or writes files of a workspace. */
export interface ContentCall extends GitCall {
  readonly content: RawRepository;
}

/** What its file system can do, as git has found when it made the repository. */
const OF_FILE_SYSTEM = '^core\\.(filemode|symlinks|ignorecase|precomposeunicode)$';
const MAX_DIRECTORIES = 64;
/** Without patterns git takes all files, too, but looks for them at each one, which doubles the time of a capture. */
const ALL_FILES = '*\n';

interface OwnDirectory {
  readonly folder: string;
  readonly config: string;
}

/** By the objects. They go with this process. */
const directories = new Map<string, Promise<OwnDirectory>>();
const made = new Set<string>();

/** The files of `worktree` as bytes. `call`: in the repository that has the objects. */
export async function rawRepository(
  { objects, format }: ObjectStore,
  worktree: string,
  call: GitCall,
): Promise<RawRepository> {
  const key = JSON.stringify([objects, format]);
  const known = await directories.get(key);
  const directory = known && isAsMade(known) ? known : await keep(key, makeDirectory(format, call));
  return { gitDirectory: directory.folder, objects, format, worktree };
}

async function keep(key: string, making: Promise<OwnDirectory>): Promise<OwnDirectory> {
  directories.delete(key);
  directories.set(key, making);
  const [oldest = key] = directories.size > MAX_DIRECTORIES ? directories.keys() : [];
  // Its folder stays until this process ends: a call may be using it.
  if (oldest !== key) directories.delete(oldest);
  try {
    return await making;
  } catch (error) {
    directories.delete(key);
    throw error;
  }
}

/** An agent with a shell can write there, too. Synchronous: each capture asks, and a thread takes more CPU. */
function isAsMade({ folder, config }: OwnDirectory): boolean {
  try {
    return (
      readFileSync(join(folder, 'info/attributes'), 'utf8') === RAW_ATTRIBUTES &&
      readFileSync(join(folder, 'config'), 'utf8') === config &&
      readFileSync(join(folder, 'info/sparse-checkout'), 'utf8') === ALL_FILES &&
      readdirSync(folder).toSorted().join() === 'HEAD,config,info,refs'
    );
  } catch {
    return false;
  }
}

/** The options of `rev-parse` whose answers are an `ObjectStore`. */
export const STORE_FACTS = ['--git-path objects', '--show-object-format'];

/** The same for the repository that a call is in. `worktree`: in place of the call's folder. */
export async function rawRepositoryOf(call: GitCall, worktree = call.directory): Promise<RawRepository> {
  const [objects = '', format = ''] = await gitFacts(STORE_FACTS, call);
  return rawRepository({ objects, format }, worktree, call);
}

/** The call under the git directory of ours. It has no refs: trees and files are named by their hashes. */
export const ofContent = ({ content, ...call }: ContentCall): GitCall => ({ ...call, raw: content });

async function makeDirectory(format: string, call: GitCall): Promise<OwnDirectory> {
  const settings = await fileSystemSettings(call);
  const folder = await makeTemporaryFolder('raw');
  if (made.size === 0) process.once('exit', removeAll);
  made.add(folder);
  await Promise.all([mkdir(join(folder, 'refs')), mkdir(join(folder, 'info'))]);
  const config = configText(format, settings);
  await Promise.all([
    writeFile(join(folder, 'HEAD'), 'ref: refs/heads/none\n'),
    writeFile(join(folder, 'info/attributes'), RAW_ATTRIBUTES),
    writeFile(join(folder, 'info/sparse-checkout'), ALL_FILES),
    writeFile(join(folder, 'config'), config),
  ]);
  return { folder, config };
}

/** Lines of a configuration: values that are no boolean are left out. */
async function fileSystemSettings(call: GitCall): Promise<readonly string[]> {
  const asked = ['config', '--type=bool', '--get-regexp', OF_FILE_SYSTEM];
  const { exitCode, stdout, stderr } = await askGit(asked, call);
  // 1: none of them is set.
  if (exitCode > 1) throw new GitError('git_failed', 'config', stderr);
  const lines = new TextDecoder().decode(stdout).split('\n');
  return lines.flatMap((line) => {
    const [, name, value] = /^core\.(\w+) (true|false)$/.exec(line) ?? [];
    return name === undefined ? [] : [`\t${name} = ${value}`];
  });
}

function removeAll(): void {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
}

// What the git directories that are made by us have in common.

/** The text of `info/attributes`, which outranks every other attribute: git converts nothing, and runs no filter. */
export const RAW_ATTRIBUTES = '* -text -eol -crlf -ident -filter -working-tree-encoding\n';

/** The text of a `config`. `settings`: lines of the section `core`. `format`: of the objects, such as `sha1`. */
export function configText(format: string, settings: readonly string[] = []): string {
  const extensions = format === 'sha1' ? [] : ['[extensions]', `\tobjectFormat = ${format}`];
  const version = extensions.length === 0 ? 0 : 1;
  const core = ['[core]', `\trepositoryFormatVersion = ${version}`, '\tbare = false', ...settings];
  return [...core, ...extensions].map((line) => `${line}\n`).join('');
}
