import { cpSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { delimiter, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { root, run } from '../repository/tool.ts';
import { registry } from './registry.ts';

const packed = ['machines', 'src', 'docs/examples/own-loop', 'package.json', 'tsconfig.json', 'README.md', 'LICENSE'];

/** A user's environment: the Node that runs this comes first, and nothing of the npm that runs the tests is left. */
export const userEnvironment = (): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_|^LOOPFOLD_|^NODE_/i.test(name))),
  PATH: [dirname(process.execPath), process.env['PATH'] ?? ''].join(delimiter),
});

export interface Installed {
  /** The project that has the package. */
  readonly folder: string;
  readonly tarball: string;
}

/** Packs this repository and installs what comes out into an empty folder below another, as a stranger would. */
export async function installedIn(home: string): Promise<Installed> {
  const [source, folder] = [join(home, 'source'), join(home, 'project')];
  for (const path of packed) cpSync(join(root, path), join(source, path), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(source, 'node_modules'));
  const pack = run('npm', ['pack', '--pack-destination', home], source, userEnvironment());
  const tarball = readdirSync(home).find((name) => name.endsWith('.tgz'));
  if (pack.status !== 0 || tarball === undefined) throw new Error(pack.output);
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }\n');
  const shop = await registry();
  const flags = [
    '--registry',
    shop.address,
    '--cache',
    join(home, 'cache'),
    '--no-audit',
    '--no-fund',
    '--ignore-scripts',
  ];
  // Not run(): the registry answers in this very process.
  const npm = spawn('npm', ['install', join(home, tarball), ...flags], { cwd: folder, env: userEnvironment() });
  const said = Promise.all([text(npm.stdout), text(npm.stderr)]);
  const [status] = await once(npm, 'exit');
  shop.close();
  if (status !== 0) throw new Error((await said).join('\n'));
  return { folder, tarball: join(home, tarball) };
}
