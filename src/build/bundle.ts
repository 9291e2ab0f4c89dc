import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { chunksOf } from './chunks.ts';
import { ownPlaces } from './own-places.ts';
import { withoutWork } from './without-work.ts';

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

/**
 * Puts one source into a file of its own, for programs without Node: of Node it needs `node:crypto` at most. Returns
 * the modules that it consists of.
 */
export async function bundleAlone(
  { root, entry, file }: { readonly root: string; readonly entry: string; readonly file: string },
  format: 'esm' | 'cjs' = 'esm',
): Promise<readonly string[]> {
  const bundle = await rolldown({
    input: join(root, entry),
    platform: 'neutral',
    resolve: { mainFields: ['module', 'main'], conditionNames: ['import'] },
    // Execa starts processes: only handlers import it.
    external: [/^node:/, 'execa', 'xstate'],
    plugins: [withoutWork()],
    // What is left without an importer of one of its names is left out.
    treeshake: { moduleSideEffects: false },
    logLevel: 'silent',
  });
  const comments = { legal: true, annotation: false, jsdoc: false };
  const { output } = await bundle.write({ file, format, charset: 'ascii', comments, codeSplitting: false });
  await bundle.close();
  return output.flatMap((one) => (one.type === 'chunk' ? one.moduleIds : []));
}
