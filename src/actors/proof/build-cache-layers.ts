import { mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { ownEnvironment } from '../../text/own-programs.ts';
import type { Mirror } from './mirror.ts';
import { FILLED, isUntouched, sealOf } from './mirror-seal.ts';
import { removeTrees } from './proof-folder.ts';
import { isUntimed } from './time-faults.ts';
import { CACHE_LAYER } from './walls-script.ts';

// Without its build cache a check in Go builds the standard library anew, each time. What the checks have built on the
// start is given to those after them: no agent has written to it, as it may have to the cache of the person. What
// checks write into it lasts as long as their leg.

const MAX_FILLED_KIB = 4 * 1024 * 1024;
const MEASURE_TIMEOUT_MS = 30_000;

/** In the layers of a leg, those of one cache. */
const layerOf = (number: number): string => `${CACHE_LAYER}${number}`;

/** Makes the folders by which a leg is given caches. What the start has built is dropped where it was written to. */
export async function makeCacheLayers(layers: string, mirror: Mirror, count: number): Promise<void> {
  const { folder } = mirror;
  if (mirror.filled && (await isUntouched(folder, mirror.filled, [FILLED])) !== true) await dropFilled(mirror);
  for (let number = 0; number < count; number += 1) {
    const own = join(folder, layers, layerOf(number));
    await mkdir(join(own, 'upper'), { recursive: true });
    await mkdir(join(own, 'work'), { recursive: true });
  }
}

/** Keeps what a leg has built for those after it, in place of what was kept. Larger caches are not kept. */
export async function keepFilled(layers: string, mirror: Mirror, count: number): Promise<void> {
  const { folder } = mirror;
  await dropFilled(mirror);
  if (count === 0) return;
  await mkdir(join(folder, FILLED));
  for (let number = 0; number < count; number += 1) {
    const upper = join(folder, layers, layerOf(number), 'upper');
    await rename(upper, join(folder, FILLED, String(number))).catch(() => {});
  }
  if ((await isUntimed(folder)) || (await isTooLarge(join(folder, FILLED)))) await dropFilled(mirror);
  else mirror.filled = await sealOf(folder, [FILLED]);
}

async function dropFilled(mirror: Mirror): Promise<void> {
  mirror.filled = null;
  await removeTrees([join(mirror.folder, FILLED)]);
}

async function isTooLarge(folder: string): Promise<boolean> {
  const { stdout, exitCode } = await execa('du', ['-sk', '--', folder], {
    env: ownEnvironment(),
    extendEnv: false,
    reject: false,
    stdin: 'ignore',
    timeout: MEASURE_TIMEOUT_MS,
  });
  return exitCode !== 0 || !(Number.parseInt(stdout, 10) <= MAX_FILLED_KIB);
}
