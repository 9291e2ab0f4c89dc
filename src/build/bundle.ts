import { cpSync } from 'node:fs';
import { dirname, join, posix, relative } from 'node:path';
import { type Plugin, rolldown } from 'rolldown';
import { chunksOf } from './chunks.ts';
import { withoutWork } from './without-work.ts';

/** Stands for the place of a module until it is known in which file it ends up. */
const MARK = 'place-in-dist:';

/** A module that asks where it is gets the place it would have if it were a file of its own: there its workers are. */
const ownPlaces = (root: string): Plugin => ({
  name: 'own-places',
  transform: (code, id) => {
    if (!id.startsWith(root) || id.includes('/node_modules/') || !code.includes('import.meta.')) return null;
    const place = relative(root, id).replace(/\.ts$/, '.js');
    return code.replaceAll('import.meta.url', `new URL('${MARK}${place}', import.meta.url).href`);
  },
  renderChunk: (code, { fileName }) =>
    code.replaceAll(new RegExp(`${MARK}([^"'\`]+)`, 'g'), (_all, place: string) => {
      const from = posix.relative(dirname(fileName), place);
      return from.startsWith('.') ? from : `./${from}`;
    }),
});

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
