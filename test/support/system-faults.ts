import { spawnSync } from 'node:child_process';
import { constants } from 'node:os';
import { join } from 'node:path';

const SOURCE = join(import.meta.dirname, 'system-fault.c');

/** One kind of system call that fails on one kind of file while one verb runs. */
export interface Draw {
  readonly verb: string;
  readonly environment: Readonly<Record<string, string>>;
}

const { ENOSPC, EIO, EMFILE, ENOMEM, EDQUOT } = constants.errno;
/** What each call fails with where the system lacks something, or a disk fails. */
const ERRORS = {
  open: [EIO, EMFILE, ENOSPC],
  read: [EIO],
  write: [EIO, ENOSPC, EDQUOT],
  sync: [EIO, ENOSPC],
  rename: [EIO, ENOSPC],
  mkdir: [EIO, ENOSPC],
  unlink: [EIO],
  lock: [constants.errno.ENOLCK, ENOMEM],
} as const;
const CALLS = Object.keys(ERRORS) as readonly (keyof typeof ERRORS)[];
/** Parts of the paths of the log, of git, of our folders, of temporary files and of the workspace. */
const PLACES = ['/log.db', '/.git/', '/.loopfold/', '/loopfold-index-', '/work-of-faults/'];
const VERBS = ['run', 'show', 'runs', 'diff', 'undo', 'apply', 'check', 'prove', 'grounds', 'gc'] as const;
const MOST_BEFORE = 24;

/** Numbers from 0 to 1, the same for each seed (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The draw of a seed: the same for ever. */
export function drawOf(seed: number): Draw {
  const random = randomOf(seed);
  const one = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
  const call = one(CALLS);
  return {
    verb: one(VERBS),
    environment: {
      FAULT_CALL: call,
      FAULT_PLACE: call === 'lock' ? '/log.db' : one(PLACES),
      FAULT_ERRNO: String(one(ERRORS[call])),
      FAULT_AFTER: String(Math.floor(random() ** 2 * MOST_BEFORE)),
      ...(random() < 0.5 ? { FAULT_ONCE: '1' } : {}),
    },
  };
}

/** Compiles what makes system calls fail. Null: this machine has no compiler, or another kind of system. */
export function faultLibrary(to: string): string | null {
  if (process.platform !== 'linux') return null;
  const library = join(to, 'fault.so');
  const { status } = spawnSync('cc', ['-shared', '-fPIC', '-O1', '-o', library, SOURCE, '-ldl'], { stdio: 'ignore' });
  return status === 0 ? library : null;
}
