// Keeps what V8 has compiled of the program for its next processes, which saves most of a short command's time. Such a
// file decides what the program does. Node would put it into the folder of temporary files; ours lies where only the
// user can write.
import { existsSync, lstatSync, mkdirSync, realpathSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join } from 'node:path';

const PRIVATE = 0o700;
const WRITABLE_BY_OTHERS = 0o022;
/** In such a folder each entry is its owner's alone to replace. */
const STICKY = 0o1000;

/** Where there is no such folder, nothing is kept, and nothing is said. NODE_COMPILE_CACHE goes before it. */
export function keepCompiled() {
  const folder = cacheFolder(process.env);
  // Node before 22.1 keeps nothing.
  if (folder !== null) nodeModule.enableCompileCache?.(folder);
}

/** `loopfold/compiled` in the user's folder of caches. A relative XDG_CACHE_HOME is ignored, and no home is made. */
function cacheFolder({ XDG_CACHE_HOME = '', HOME = '' }) {
  const base = isAbsolute(XDG_CACHE_HOME) ? XDG_CACHE_HOME : join(HOME === '' ? homedir() : HOME, '.cache');
  try {
    if (!existsSync(dirname(base))) return null;
    const folder = made(join(base, 'loopfold', 'compiled'));
    return isOursAlone(folder) ? folder : null;
  } catch {
    return null;
  }
}

/** The real path of a folder, which is made where others cannot put another one in its place. Throws where they can. */
function made(folder) {
  if (!existsSync(folder)) {
    const own = join(made(dirname(folder)), basename(folder));
    mkdirSync(own, PRIVATE);
    return own;
  }
  const real = realpathSync(folder);
  if (!upwards(real).every(isKept)) throw new Error(`others can replace ${real}`);
  return real;
}

const upwards = (folder) => [folder, ...(dirname(folder) === folder ? [] : upwards(dirname(folder)))];

/** Whether its entries stay what the user, or the system, has put there. */
function isKept(folder) {
  const { uid, mode } = lstatSync(folder);
  return (uid === 0 || uid === process.getuid?.()) && ((mode & WRITABLE_BY_OTHERS) === 0 || (mode & STICKY) !== 0);
}

function isOursAlone(folder) {
  const stats = lstatSync(folder);
  return stats.isDirectory() && stats.uid === process.getuid?.() && (stats.mode & WRITABLE_BY_OTHERS) === 0;
}
