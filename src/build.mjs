// Builds dist: the program and the library as a bundle, their types, and the schema of the configuration. With
// --after-install, as npm ci calls it, the types are not checked, so that it takes seconds; and nothing is built where
// npm packs, which has built already, or where the compiler was left out (npm ci --omit=dev).
import { spawnSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const isAfterInstall = process.argv.includes('--after-install');
const compiler = join(root, 'node_modules', 'typescript-native', 'bin', 'tsc');
const isPacking = ['pack', 'publish'].includes(process.env.npm_command);

if (!isAfterInstall || (existsSync(compiler) && !isPacking)) await build();

async function build() {
  const dist = join(root, 'dist');
  rmSync(dist, { recursive: true, force: true });
  // Threads of its own would take it twice the processor time, and save little.
  const options = ['--singleThreaded', ...(isAfterInstall ? ['--noCheck'] : [])];
  run(compiler, '-p', join('src', 'tsconfig.build.json'), ...options);
  // Not before: an older Node, without the packages we develop with, reads no TypeScript.
  const { bundlePackage } = await import('./build/publish.ts');
  await bundlePackage(root, dist);
  const schema = run(join('dist', 'src', 'cli', 'main.js'), 'config', '--schema');
  writeFileSync(join(dist, 'config.schema.json'), schema);
}

/** What a program prints. Ends the build where it fails. */
function run(program, ...words) {
  const { status, stdout } = spawnSync(process.execPath, [program, ...words], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status === 0) return stdout;
  process.stdout.write(stdout ?? '');
  process.exit(status ?? 1);
}
