import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const SOURCE = join(import.meta.dirname, 'jumping-clock.c');
const SECONDS_BYTES = 8;

/** Whether a process can be given a wall clock of its own: there are a C compiler and a loader that preloads. */
export const hasJumpingClock =
  process.platform === 'linux' && spawnSync('cc', ['--version'], { stdio: 'ignore' }).status === 0;

/** A wall clock that jumps when it is told to, for every process that is started with its environment. */
export function jumpingClock() {
  const folder = mkdtempSync(join(tmpdir(), 'jumping-clock-'));
  const [library, ahead] = [join(folder, 'clock.so'), join(folder, 'ahead')];
  const built = spawnSync('cc', ['-shared', '-fPIC', '-O1', '-o', library, SOURCE, '-ldl'], { encoding: 'utf8' });
  if (built.status !== 0) throw new Error(built.stderr);
  const write = (seconds: number, flags: string) => {
    const bytes = Buffer.alloc(SECONDS_BYTES);
    bytes.writeBigInt64LE(BigInt(seconds));
    const file = openSync(ahead, flags);
    writeSync(file, bytes, 0, SECONDS_BYTES, 0);
    closeSync(file);
  };
  write(0, 'w');
  return {
    env: { LD_PRELOAD: library, JUMPING_CLOCK: ahead },
    /** In place: a process has the file mapped. */
    jumpTo: (seconds: number) => write(seconds, 'r+'),
  };
}
