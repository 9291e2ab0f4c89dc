import { globSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { PURE } from '../support/pure-files.ts';
import { root } from './tool.ts';
import { type Tree, trackedTree } from './tree.ts';

/** What a thread shares with others, and what it cannot do. */
const SHARED: Readonly<Record<string, RegExp>> = {
  'starts processes': /from '(node:child_process|execa)'/,
  'changes the folder of the process': /process[.]chdir\(/,
  'changes the environment': /process[.]env(\[[^\]]*\]|[.]\w+) =[^=]|delete process[.]env/,
  'changes timers': /useFakeTimers/,
  'replaces a module': /vi[.](do)?mock\(/i,
  'listens to the process': /process[.](on|once)\(/,
  'sets the status of the process': /process[.]exitCode =/,
};
/** Imported for what starts none: the seed, which the environment has by then, and the place of this repository. */
const KNOWN = ['test/support/tier.ts', 'test/repository/tool.ts'];
const IMPORTED = /from '([.][^']+)'/g;

/** Why these files cannot share a thread, by what they say themselves and what they import of `test/`. */
function sharing(tree: Tree, files: readonly string[]): string[] {
  const seen = new Set(files);
  const found: string[] = [];
  for (const file of seen) {
    if (KNOWN.includes(file)) continue;
    const source = tree.get(file) ?? '';
    for (const [what, pattern] of Object.entries(SHARED)) if (pattern.test(source)) found.push(`${file} ${what}`);
    for (const [, specifier = ''] of source.matchAll(IMPORTED)) {
      const imported = join(dirname(file), specifier);
      if (imported.startsWith('test/')) seen.add(imported);
    }
  }
  return found;
}

test('files that share threads start no process, and change nothing of theirs', () => {
  const files = globSync(PURE, { cwd: root });
  expect(files.length).toBeGreaterThan(150);
  expect(sharing(trackedTree(), files)).toEqual([]);
});

test('each way to disturb others is found, also in what a file imports', () => {
  const bad = [
    "import { spawn } from 'node:child_process';",
    'process.chdir(folder);',
    "process.env['HOME'] = folder;",
    'vi.useFakeTimers();',
    "vi.doMock('node:fs');",
    "process.on('exit', end);",
    'process.exitCode = 1;',
  ];
  for (const line of bad) {
    const tree = new Map([
      ['test/a.test.ts', "import { b } from './b.ts';\nif (process.env['HOME'] === '') b();"],
      ['test/b.ts', line],
    ]);
    expect(sharing(tree, ['test/a.test.ts'])).toEqual([expect.stringMatching(/^test\/b[.]ts /)]);
  }
});
