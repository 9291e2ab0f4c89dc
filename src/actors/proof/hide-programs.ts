import { realpath } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { programsOf } from '../../evidence/surroundings-change.ts';
import { programOnPath } from './program-on-path.ts';
import { COVERED } from './root-script.ts';
import type { WallPlan } from './walls-script.ts';

type Site = Pick<WallPlan, 'root' | 'home' | 'homePaths' | 'node'>;

/** What shells and `env` say of a program that they do not find. */
const NOT_FOUND = /(?<![\w.+-])([\w.+-]+)['’"]?: (?:command not found|not found|No such file or directory)/g;
const MAX_NAMED = 3;

/**
 * Sentences about programs that a command did not find behind walls, and that the user has: where each lies, and what
 * to do. `path`: where they are looked for; `output`: what the command printed.
 */
export async function hiddenPrograms(site: Site, path: string, command: string, output: string): Promise<string[]> {
  const names = new Set([
    ...programsOf([command]),
    ...Array.from(output.matchAll(NOT_FOUND), ([, name]) => name ?? ''),
  ]);
  const found = await Promise.all([...names].map(async (name) => ({ name, file: await fileOf(name, path) })));
  return found.flatMap(({ name, file }) => sentence(site, name, file) ?? []).slice(0, MAX_NAMED);
}

interface Found {
  /** As the path names it. */
  readonly named: string;
  /** Where symbolic links lead. */
  readonly real: string;
}

/** Null: it is not hidden. */
function sentence(site: Site, name: string, file: Found | null): string | null {
  const hidden = file === null ? [] : [...new Set([file.named, file.real])].filter((one) => isHidden(site, one));
  if (hidden.length === 0) return null;
  const inHome = hidden.filter((one) => isWithin(site.home, one)).map((one) => dirname(relative(site.home, one)));
  const remedy =
    inHome.length === hidden.length && !inHome.includes('.')
      ? `show it to them with ${inHome.map((path) => `--home-path ${path}`).join(' ')}`
      : `install it outside of the home, ${COVERED.join(', ')}`;
  return `${name} is ${hidden.join(', that is ')}, which checks of a proof do not see: ${remedy}`;
}

function isHidden({ root, home, homePaths, node }: Site, file: string): boolean {
  if (isWithin(root, file) || isWithin(node, file)) return false;
  if (isWithin(home, file)) return !homePaths.some((path) => isWithin(join(home, path), file));
  return COVERED.some((folder) => isWithin(folder, file));
}

const isWithin = (folder: string, file: string): boolean =>
  folder !== '' && folder !== '/' && (file === folder || file.startsWith(`${folder}/`));

async function fileOf(name: string, path: string): Promise<Found | null> {
  const named = await programOnPath(name, path);
  return named === null ? null : { named, real: await realpath(named).catch(() => named) };
}
