import { copyFileSync, cpSync, globSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Plugin, rolldown } from 'rolldown';
import { chunksOf } from './chunks.ts';

const root = join(import.meta.dirname, '..', '..');

/**
 * What tests start as processes of their own, and what is loaded by its place: workers, and a class that a script uses.
 */
const ENTRIES = [
  'src/cli/main.ts',
  'src/**/*worker.ts',
  'src/actors/model/model.ts',
  // What the module of a loop imports.
  'src/index.ts',
  'src/ralph/index.ts',
  'src/testing/index.ts',
  'src/hosts/xstate/index.ts',
  'machines/public.ts',
  'test/cli/*.process.ts',
  'test/simulation/*.process.ts',
  'test/log/*.process.ts',
  'test/hosts/xstate/*.process.ts',
  'test/hosts/local/improvement/*.process.ts',
];

/**
 * Puts the program and the processes of the tests into a folder, dependencies and all, each at the path of its source:
 * `src/cli/main.js`. A process starts from there in half the time that it takes to load hundreds of sources.
 */
export async function bundleInto(folder: string): Promise<void> {
  const files = globSync(ENTRIES, { cwd: root });
  const input = Object.fromEntries(files.map((file) => [file.replace(/\.ts$/, ''), join(root, file)]));
  const { plugin, groups } = chunksOf(root, files);
  const plugins = [atItsOwnPlace(folder), plugin];
  const bundle = await rolldown({ input, platform: 'node', plugins, logLevel: 'silent' });
  await bundle.write({
    dir: folder,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
    codeSplitting: { groups },
  });
  await bundle.close();
  const reporters = 'src/actors/verify/reporters';
  cpSync(join(root, reporters), join(folder, reporters), { recursive: true });
  copyFileSync(join(root, 'package.json'), join(folder, 'package.json'));
  symlinkSync(join(root, 'docs'), join(folder, 'docs'));
  // Seen from the program alone: what is installed beside it has packages of its own.
  symlinkSync(join(root, 'node_modules'), join(folder, 'src', 'node_modules'));
}

/** A module that asks where it is gets the place that its source has, in the folder: there its workers are. */
const atItsOwnPlace = (folder: string): Plugin => ({
  name: 'at-its-own-place',
  transform: (code, id) => {
    if (!id.startsWith(root) || id.includes('/node_modules/') || !code.includes('import.meta.')) return null;
    const place = join(folder, id.slice(root.length)).replace(/\.ts$/, '.js');
    return code
      .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(place).href))
      .replaceAll('import.meta.dirname', JSON.stringify(join(place, '..')));
  },
});
