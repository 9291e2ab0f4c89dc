import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundleInto } from './bundle.ts';
import { entriesOf } from './entries.ts';
import { licencesOf } from './licences.ts';

/**
 * Packages whose modules become part of the bundle, with those that they need: those of many small files, which a
 * command would load one by one. The others are loaded as they are installed. Those are large and rarely needed, or
 * what a caller shares with the library: a machine of XState, an Observable.
 */
const BUNDLED: readonly string[] = [
  'canonicalize',
  'commander',
  'execa',
  'ignore',
  'immer',
  'picocolors',
  'picomatch',
  'semver',
  'smol-toml',
  'unbash',
  'uuid',
  'yaml',
  'zod',
];

/** Bundles what the package publishes, with the licences of the packages in the bundle. */
export async function bundlePackage(root: string, dist: string): Promise<void> {
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly dependencies: Readonly<Record<string, string>>;
  };
  const external = Object.keys(dependencies).filter((name) => !BUNDLED.includes(name));
  const modules = await bundleInto({ root, entries: entriesOf(root), folder: dist, external });
  writeFileSync(join(dist, 'licences.txt'), licencesOf(modules));
}
