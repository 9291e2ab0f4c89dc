import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundleAlone, bundleInto } from './bundle.ts';
import { entriesOf, KERNEL } from './entries.ts';

/** The folder of a package and its name, in the path of a module. */
const PACKAGE = /^.*\/node_modules\/((?:@[^/]+\/)?[^/]+)(?=\/)/;
const LICENCE = /^(licen[cs]e|copying|notice)\b/i;

/** The licences of the packages of these modules, as text. Throws where a package names none. */
function licencesOf(modules: readonly string[]): string {
  const folders = new Set(modules.flatMap((module) => PACKAGE.exec(module)?.[0] ?? []));
  return [...folders].toSorted().map(licenceOf).join('\n');
}

function licenceOf(folder: string): string {
  const { name, version, license, repository } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  if (typeof license !== 'string') throw new Error(`${folder} names no licence, and is to be bundled`);
  const files = readdirSync(folder).filter((file) => LICENCE.test(file));
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim());
  // Some packages of a common repository leave its text there.
  const elsewhere = files.length === 0 ? [`The text of its licence: ${repository?.url ?? repository}`] : [];
  return [`${name} ${version} (${license})`, '', ...texts, ...elsewhere, ''].join('\n');
}

/**
 * Packages whose modules become part of the bundle, with those that they need: those of many small files, which a
 * command would load one by one. The others are loaded as they are installed. Those are large and rarely needed, or
 * what a caller shares with the library: a machine of XState, an Observable.
 */
const BUNDLED: readonly string[] = [
  '@hono/node-server',
  '@hono/zod-openapi',
  'canonicalize',
  'commander',
  'execa',
  'hono',
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
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly dependencies: Readonly<Record<string, string>>;
    readonly peerDependencies: Readonly<Record<string, string>>;
    readonly exports: Readonly<Record<string, unknown>>;
  };
  const packages = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies });
  const external = packages.filter((name) => !BUNDLED.includes(name));
  const modules = await bundleInto({ root, entries: entriesOf(root), folder: dist, external });
  const file = join(dist, KERNEL.replace(/[.]ts$/, '.js'));
  const ofKernel = './kernel' in manifest.exports ? await bundleAlone({ root, entry: KERNEL, file }) : [];
  const ofPage = await pageOf(root, dist);
  writeFileSync(join(dist, 'licences.txt'), licencesOf([...new Set([...modules, ...ofKernel, ...ofPage])]));
}

/** The page, where the project has one. */
async function pageOf(root: string, dist: string): Promise<readonly string[]> {
  if (!existsSync(join(root, 'src/studio/index.html'))) return [];
  const { buildStudio } = await import('./studio.ts');
  return buildStudio(root, join(dist, 'studio'));
}
