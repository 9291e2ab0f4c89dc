import { chmodSync, lstatSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { orPlaceFault } from './environment-fault.ts';

/** The name of the folder of the loop's own files beside a project. */
export const OWN_FOLDER = '.loopfold';

/** Only their user may look into folders of a log, and read its files. */
export const OWN_FOLDER_MODE = 0o700;
export const OWN_FILE = 0o600;
const OF_OTHERS = 0o077;

/**
 * Makes the folder of the loop's own files beside a project, if it is not there, open to no other user. Its
 * `.gitignore` ignores the folder itself, so that the project's git never lists it.
 */
export function makeOwnFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: OWN_FOLDER_MODE });
  try {
    writeFileSync(join(folder, '.gitignore'), '*\n', { flag: 'wx', mode: OWN_FILE });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** Uses a folder that this program makes where it is missing. Throws an `EnvironmentFault` where it cannot be one. */
export async function inOwnFolder<Result>(folder: string, use: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await use();
  } catch (error) {
    const remedy = 'Make it a folder that can be written to, or move away what lies there; then try again.';
    throw orPlaceFault(inTheWay(folder), remedy, error);
  }
}

/** Of a path, what is there and lets nothing be made below it. */
function inTheWay(place: string): string {
  try {
    lstatSync(place);
    return place;
  } catch {
    return dirname(place) === place ? place : inTheWay(dirname(place));
  }
}

/** Takes the permissions of other users from a file or folder of ours. It stays as it is where the system refuses. */
export function closeToOthers(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found || (found.mode & OF_OTHERS) === 0) return;
  try {
    chmodSync(path, found.mode & ~OF_OTHERS);
  } catch {
    // It belongs to another user, who has shared it.
  }
}
