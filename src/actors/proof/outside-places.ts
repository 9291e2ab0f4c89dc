import { constants } from 'node:fs';
import { access, readlink, realpath, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { isIn, type NamedPlace } from '../../evidence/outside-names.ts';
import { OF_SYSTEM } from './check-tools.ts';
import { DIRECTLY } from './outside-identity.ts';
import { shebangOf } from './shebang.ts';

/** As many as a system follows. A chain of links that is longer, or leads in a circle, has no end. */
const MAX_LINKS = 40;
const OF_KERNEL = /^\/(?:dev(?!\/shm)|proc|sys)(?:\/|$)/;
const FOR_ALL: ReadonlySet<string> = new Set(['/', '/tmp', '/var/tmp', '/dev/shm', '/run']);
/** What is not there yet in these is likely to be written by the check. */
const TEMPORARY = /^\/(?:tmp|var\/tmp|dev\/shm|run)\//;

export interface OutsidePlaces {
  /** The places outside of a workspace, as absolute paths. */
  readonly paths: readonly string[];
  /** The programs that scripts among them are run by, where they are found by name. */
  readonly programs: readonly string[];
}

/**
 * The places outside of a workspace that checks name or links of it lead to, and one step further what scripts among
 * them are run by. Of a folder around the workspace only the files directly in it.
 */
export async function outsidePlaces(
  root: string,
  named: readonly NamedPlace[],
  links: readonly string[],
): Promise<OutsidePlaces> {
  const paths = new Set<string>();
  const programs = new Set<string>();
  const add = async (path: string | null): Promise<void> => {
    if (path !== null && !(await isFixed(path))) paths.add(isIn(path, root) ? `${path}${DIRECTLY}` : path);
  };
  for (const link of links) await add(await outOf(root, link));
  for (const { path, isCertain } of named) {
    const place = await placeOutside(root, path, isCertain);
    await add(place);
    const interpreter = place === null ? null : await shebangOf(place);
    if (interpreter?.startsWith('/')) await add(await placeOutside(root, interpreter, true));
    else if (interpreter !== null) programs.add(interpreter);
  }
  return { paths: [...paths].toSorted(), programs: [...programs] };
}

async function placeOutside(root: string, path: string, isCertain: boolean): Promise<string | null> {
  const place = await realpath(path).catch(() => null);
  if (place !== null && isIn(root, place)) return null;
  if (place === null && (!isCertain || TEMPORARY.test(path) || isIn(root, path))) return null;
  return isIn(root, path) ? place : path;
}

/** The first place outside of a workspace that a link in it leads to. Null: it stays within. */
async function outOf(root: string, link: string): Promise<string | null> {
  let place = link;
  for (let count = 0; count < MAX_LINKS && isIn(root, place); count += 1) {
    const target = await readlink(place).catch(() => null);
    if (target === null) return null;
    place = resolve(dirname(place), target);
  }
  return isIn(root, place) ? null : place;
}

/** What only the system can change is known by its path. Folders of all and for all say nothing, nor do devices. */
async function isFixed(path: string): Promise<boolean> {
  if (OF_KERNEL.test(path) || FOR_ALL.has(path)) return true;
  const found = await stat(path).catch(() => null);
  if (found === null) return false;
  if (!found.isFile()) return !found.isDirectory() || OF_SYSTEM.test(`${path}/`);
  if (!OF_SYSTEM.test(path)) return false;
  return access(path, constants.W_OK).then(
    () => false,
    () => true,
  );
}
