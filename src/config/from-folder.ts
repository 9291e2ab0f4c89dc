import { isAbsolute, resolve } from 'node:path';
import type { Config } from './config.ts';
import { isLoopPath } from './loop-path.ts';

/** The options that may name a file, with the prefix of such an address. */
const FILES: readonly (readonly [keyof Config, string])[] = [
  ['model', 'script:'],
  ['fallbackModel', 'script:'],
  ['judge', 'script:'],
  ['log', 'sqlite:'],
];

/**
 * The options with absolute paths in place of those relative to a folder, so that a run can be resumed from anywhere.
 */
export function fromFolder(values: Config, folder: string): Config {
  const absolute = FILES.flatMap(([option, prefix]) => {
    const value = values[option];
    if (typeof value !== 'string' || !value.startsWith(prefix) || value === prefix) return [];
    const path = value.slice(prefix.length);
    return isAbsolute(path) ? [] : [[option, `${prefix}${resolve(folder, path)}`]];
  });
  const { loop } = values;
  const heldOut = typeof values.heldOut === 'string' ? { heldOut: resolve(folder, values.heldOut) } : {};
  const images = values.images?.map((one) => (typeof one === 'string' ? resolve(folder, one) : one));
  const ownLoop = typeof loop === 'string' && isLoopPath(loop) ? { loop: resolve(folder, loop) } : {};
  return { ...values, ...Object.fromEntries(absolute), ...ownLoop, ...heldOut, ...(images ? { images } : {}) };
}
