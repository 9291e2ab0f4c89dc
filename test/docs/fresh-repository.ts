import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { onTestFinished } from 'vitest';
import { root, run } from '../repository/tool.ts';
import { bundled, compileCache, YOUNG_GENERATION } from '../support/bundled.ts';

/** The exports of the package, and the sources whose built form replaces them. */
const faces = {
  '.': 'src/index.ts',
  './http': 'src/http/index.ts',
  './kernel': 'src/kernel/index.ts',
  './machines': 'machines/public.ts',
  './ralph': 'src/ralph/index.ts',
  './testing': 'src/testing/index.ts',
  './xstate': 'src/hosts/xstate/index.ts',
};

/** Runs a program as a user of the installed package would, in a git repository without files. */
export function inFreshRepository(code: string) {
  const folder = mkdtempSync(join(tmpdir(), 'loopfold-docs-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const packages = join(folder, 'node_modules');
  const home = join(packages, 'loopfold');
  mkdirSync(home, { recursive: true });
  const exports = Object.entries(faces).map(([name, source], index) => {
    writeFileSync(join(home, `${index}.js`), `export * from ${JSON.stringify(pathToFileURL(bundled(source)).href)};\n`);
    return [name, `./${index}.js`];
  });
  writeFileSync(join(home, 'package.json'), JSON.stringify({ type: 'module', exports: Object.fromEntries(exports) }));
  const used = ['ai', 'zod', 'rxjs', 'xstate'];
  for (const name of used) symlinkSync(join(root, 'node_modules', name), join(packages, name));
  writeFileSync(join(folder, '.gitignore'), 'node_modules\n');
  writeFileSync(join(folder, 'example.mts'), code);
  run('git', ['init', '--quiet'], folder);
  return run(process.execPath, [...YOUNG_GENERATION, 'example.mts'], folder, { ...process.env, ...compileCache });
}
