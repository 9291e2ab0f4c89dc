import { copyFileSync, globSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { bundleInto } from '../../src/build/bundle.ts';
import { entriesOf } from '../../src/build/entries.ts';

const root = join(import.meta.dirname, '..', '..');

/** What tests start as processes of their own, and a class that a script uses. */
const OF_TESTS = [
  'src/kernel/index.ts',
  'src/actors/model/model.ts',
  'test/cli/*.process.ts',
  'test/simulation/*.process.ts',
  'test/log/*.process.ts',
  'test/hosts/xstate/*.process.ts',
  'test/hosts/local/kept/*.process.ts',
  'test/hosts/restate/*.process.ts',
  'test/loops/improvement/*.process.ts',
];

/**
 * Puts the program and the processes of the tests into a folder, dependencies and all, each at the path of its source:
 * `src/cli/main.js`. A process starts from there in half the time that it takes to load hundreds of sources.
 */
export async function bundledInto(folder: string): Promise<void> {
  const entries = [...entriesOf(root), ...globSync(OF_TESTS, { cwd: root })];
  await bundleInto({ root, entries, folder, external: [] });
  copyFileSync(join(root, 'package.json'), join(folder, 'package.json'));
  symlinkSync(join(root, 'docs'), join(folder, 'docs'));
  // Seen from the program alone: what is installed beside it has packages of its own.
  symlinkSync(join(root, 'node_modules'), join(folder, 'src', 'node_modules'));
}
