import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { chunksOf } from './chunks.ts';
import { ownPlaces } from './own-places.ts';

export interface Bundling {
  readonly root: string;
  /** Sources that are loaded by their place, relative to the root. */
  readonly entries: readonly string[];
  readonly folder: string;
  /** Packages that are loaded as they are installed. */
  readonly external: readonly string[];
}

/**
 * Puts sources into a folder: each entry at the path of its source, and what entries share into files beside. A start
 * reads ten files in place of a thousand. Returns the modules that it consists of.
 */
export async function bundleInto({ root, entries, folder, external }: Bundling): Promise<readonly string[]> {
  const { plugin, groups } = chunksOf(root, entries);
  const bundle = await rolldown({
    input: Object.fromEntries(entries.map((file) => [file.replace(/\.ts$/, ''), join(root, file)])),
    platform: 'node',
    plugins: [ownPlaces(root), plugin],
    external: external.map((name) => new RegExp(`^${name}(/|$)`)),
    logLevel: 'silent',
  });
  const { output } = await bundle.write({
    dir: folder,
    format: 'esm',
    entryFileNames: '[name].js',
    // Without a hash: lines of stacks are readable, and a newer version takes the place of an older one in caches.
    chunkFileNames: 'chunks/[name].js',
    codeSplitting: { groups },
    // V8 keeps such text in half the memory.
    charset: 'ascii',
    comments: { legal: true, annotation: false, jsdoc: false },
  });
  await bundle.close();
  // What test runners load is no part of the program, and is shipped as it is.
  const reporters = 'src/actors/verify/reporters';
  cpSync(join(root, reporters), join(folder, reporters), { recursive: true });
  return output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
}
