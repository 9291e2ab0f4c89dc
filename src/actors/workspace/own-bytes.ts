import { execa } from 'execa';
import { ownEnvironment } from '../own-programs.ts';

const BLOCK_BYTES = 512;
const MEASURE_TIMEOUT_MS = 120_000;

/** The space of a folder's files that share it with none elsewhere. Null where this system has no GNU `find`. */
export async function ownBytes(folder: string): Promise<number | null> {
  const { exitCode, stdout } = await execa('find', [folder, '-links', '1', '-printf', '%b\\n'], {
    env: ownEnvironment(),
    reject: false,
    stdin: 'ignore',
    timeout: MEASURE_TIMEOUT_MS,
  });
  if (exitCode !== 0) return null;
  return stdout.split('\n').reduce((sum, blocks) => sum + Number(blocks) * BLOCK_BYTES, 0);
}
