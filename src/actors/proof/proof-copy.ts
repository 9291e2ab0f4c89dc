import { mkdir, readdir, readFile, readlink, rm, symlink } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { execa } from 'execa';
import { CACHES_OF_MODULES } from '../../evidence/never-given.ts';
import { runCommand } from '../subprocess.ts';
import type { Elsewhere } from '../elsewhere.ts';
import { PROOF_ENVIRONMENT } from './walls.ts';
import { ownEnvironment } from '../../text/own-programs.ts';

// Where no walls can be built the checks run in a copy elsewhere. Nothing keeps them from the workspace and the rest of
// the machine but that no path leads there: those that do are looked for, and named.

const COPY_TIMEOUT_MS = 600_000;
/** Pointers beyond this many are not listed. */
const MAX_POINTERS = 20;
const MAX_SHEBANG_CHARS = 512;
/** Files by which packages of Python say where their sources are. */
const PYTHON_POINTER = /(\.pth|^__editable__.*|^direct_url\.json|^.*\.egg-link)$/;
const BIN = /(^|\/)(bin|\.bin)$/;

/** A copy of a checkout with its dependencies, to run checks in. */
export interface ProofCopy {
  /** The folder that has the home and the temporary files of the checks. */
  readonly folder: string;
  /** The workspace, which no path may lead to. */
  readonly root: string;
  readonly home: string;
  /** What of it checks may read: paths from there. */
  readonly homePaths: readonly string[];
}

/** Copies folders of dependencies into a checkout. */
export async function copyFolders(root: string, folders: readonly string[], top: string): Promise<void> {
  for (const folder of folders) {
    const to = join(top, folder);
    await mkdir(dirname(to), { recursive: true });
    const from = `${join(root, folder)}/.`;
    await execa('cp', ['-a', '--reflink=auto', '--', from, to], {
      env: ownEnvironment(),
      extendEnv: false,
      stdin: 'ignore',
      timeout: COPY_TIMEOUT_MS,
    });
    for (const cache of CACHES_OF_MODULES) await rm(join(to, cache), { recursive: true, force: true });
  }
}

/** Makes an empty home that shows these paths alone. */
export async function makeHome({ folder, home, homePaths }: ProofCopy): Promise<void> {
  await mkdir(join(folder, 'tmp'), { recursive: true });
  for (const shown of home === '' ? [] : homePaths) {
    const place = join(folder, 'home', shown);
    await mkdir(dirname(place), { recursive: true });
    await symlink(join(home, shown), place).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  }
}

/** Where programs are found that do not lie in the workspace. */
export function copiedPath({ root }: Pick<ProofCopy, 'root'>): string {
  const isElsewhere = (entry: string) => !isIn(root, entry);
  return (process.env['PATH'] ?? '').split(':').filter(isElsewhere).join(':');
}

/** Runs commands in the copy, with another home. */
export function inCopy({ folder, root }: Pick<ProofCopy, 'folder' | 'root'>): Elsewhere['run'] {
  const path = copiedPath({ root });
  const own = { HOME: join(folder, 'home'), TMPDIR: join(folder, 'tmp') };
  const PYTHONPYCACHEPREFIX = join(folder, 'tmp/pycache');
  return ({ network: _network, ...request }) =>
    runCommand({
      ...request,
      environment: { PATH: path, ...request.environment, ...PROOF_ENVIRONMENT, ...own, PYTHONPYCACHEPREFIX },
    });
}

/** What in the copied dependencies leads back into the workspace: paths from the top of the copy. */
export async function pointersHome(root: string, folders: readonly string[], top: string): Promise<readonly string[]> {
  const found: string[] = [];
  const walk = async (folder: string): Promise<void> => {
    for (const entry of await readdir(join(top, folder), { withFileTypes: true })) {
      if (found.length >= MAX_POINTERS) return;
      const path = join(folder, entry.name);
      if (entry.isDirectory()) await walk(path);
      else if (entry.isSymbolicLink() ? await leadsHome(path) : await pointsHome(path, entry.name)) found.push(path);
    }
  };
  const leadsHome = async (path: string): Promise<boolean> => {
    const target = resolve(join(top, dirname(path)), await readlink(join(top, path)));
    return isIn(root, target) && !isIn(top, target);
  };
  const pointsHome = async (path: string, name: string): Promise<boolean> => {
    const isExecutable = BIN.test(dirname(path));
    if (!isExecutable && !PYTHON_POINTER.test(name)) return false;
    const text = await readFile(join(top, path), 'latin1');
    if (!isExecutable) return text.includes(root);
    return text.startsWith('#!') && text.slice(0, MAX_SHEBANG_CHARS).includes(root);
  };
  for (const folder of folders) await walk(folder);
  return found;
}

const isIn = (folder: string, path: string): boolean => path === folder || path.startsWith(`${folder}/`);
