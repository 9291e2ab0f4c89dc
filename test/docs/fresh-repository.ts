import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, onTestFinished } from 'vitest';
import { root, run } from '../repository/tool.ts';

/** What the package exports, and the source that stands for it. */
const faces = {
  '.': 'src/index.ts',
  './machines': 'machines/public.ts',
  './testing': 'src/testing/index.ts',
  './xstate': 'src/hosts/xstate/index.ts',
};

// The same sources in every program: what Node makes of them is kept for the next one.
const compiled = mkdtempSync(join(tmpdir(), 'loopfold-docs-compiled-'));
afterAll(() => rmSync(compiled, { recursive: true, force: true }));

/** Runs a program as a stranger would who has installed the package, in a git repository without files. */
export function inFreshRepository(code: string) {
  const folder = mkdtempSync(join(tmpdir(), 'loopfold-docs-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const packages = join(folder, 'node_modules');
  const home = join(packages, 'loopfold');
  mkdirSync(home, { recursive: true });
  const exports = Object.entries(faces).map(([name, source], index) => {
    writeFileSync(join(home, `${index}.js`), `export * from ${JSON.stringify(pathToFileURL(join(root, source)).href)};\n`);
    return [name, `./${index}.js`];
  });
  writeFileSync(join(home, 'package.json'), JSON.stringify({ type: 'module', exports: Object.fromEntries(exports) }));
  for (const name of ['zod', 'rxjs', 'xstate']) symlinkSync(join(root, 'node_modules', name), join(packages, name));
  writeFileSync(join(folder, '.gitignore'), 'node_modules\n');
  writeFileSync(join(folder, 'example.mts'), code);
  run('git', ['init', '--quiet'], folder);
  return run(process.execPath, ['example.mts'], folder, { ...process.env, NODE_COMPILE_CACHE: compiled });
}
