import { constants, existsSync } from 'node:fs';
import { type FileHandle, mkdir, open, readlink, realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { errorCode } from '../../text/error-code.ts';
import { type Place, ToolRefusal, fileRefusal } from './confine.ts';

const { O_DIRECTORY, O_NOFOLLOW, O_RDONLY } = constants;
const HANDLES = '/proc/self/fd';
/**
 * Where the platform lets an open folder be named by its handle, a path that changes meanwhile still means the same
 * folder.
 */
const namesHandles = (): boolean => (handles ??= process.platform === 'linux' && existsSync(HANDLES));
let handles: boolean | undefined;

/** A name inside an open folder, whatever stands at the folder's path by now. */
export const nameIn = (fd: number, folder: string, name: string): string =>
  namesHandles() ? `${HANDLES}/${fd}/${name}` : join(folder, name);

/** A folder that is held open, so that what is done in it is done in this folder and no other. */
export class HeldFolder {
  readonly path: string;
  readonly #handle: FileHandle;

  constructor(path: string, handle: FileHandle) {
    this.path = path;
    this.#handle = handle;
  }

  get fd(): number {
    return this.#handle.fd;
  }

  at(name: string): string {
    return nameIn(this.fd, this.path, name);
  }

  /** Makes names that were given or taken in it outlast a loss of power. */
  sync(): Promise<void> {
    return this.#handle.sync();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#handle.close();
  }
}

/** Holds the folder of a place, or the place itself. `creating` makes it where it is missing, but never the root. */
export async function hold(place: Place, folder: string, creating = false): Promise<HeldFolder> {
  try {
    return await verified(place, folder, await open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW));
  } catch (error) {
    const isMissing = errorCode(error) === 'ENOENT';
    if (isMissing && folder === place.root) throw new ToolRefusal('workspace_missing', `${folder}: it is gone`);
    if (!isMissing || !creating) throw fileRefusal(place.path, error);
    return await created(place, folder);
  }
}

async function created(place: Place, folder: string): Promise<HeldFolder> {
  await using parent = await hold(place, dirname(folder), true);
  try {
    await mkdir(parent.at(basename(folder))).catch(unlessThere);
    await parent.sync();
    return await verified(place, folder, await open(parent.at(basename(folder)), O_RDONLY | O_DIRECTORY | O_NOFOLLOW));
  } catch (error) {
    throw fileRefusal(place.path, error);
  }
}

/** What was opened may be another folder than the one that was looked at: a link was put on the way meanwhile. */
async function verified({ path }: Place, folder: string, handle: FileHandle): Promise<HeldFolder> {
  const found = await (namesHandles() ? readlink(`${HANDLES}/${handle.fd}`) : realpath(folder)).catch(() => null);
  if (found === folder) return new HeldFolder(folder, handle);
  await handle.close();
  throw new ToolRefusal('path_refused', `${path}: a folder on the way to it was replaced meanwhile; look again`);
}

function unlessThere(error: unknown): void {
  if (errorCode(error) !== 'EEXIST') throw error;
}
