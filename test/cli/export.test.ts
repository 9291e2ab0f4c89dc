import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { MODEL, project } from './program.ts';
import { loopfold } from './warm-process.ts';

const write = { calls: [{ tool: 'write', arguments: { path: 'n.txt', content: '1' } }] };

test('W3 a run is exported to stdout, and into a file that is not there yet', async () => {
  const cwd = await project({ answers: [write, { text: 'wrote it' }] });
  await loopfold(['run', 'write one', ...MODEL, '--verify', 'L1:grep 1 n.txt'], { cwd });
  const { status, stdout } = await loopfold(['export', '--as', 'markdown'], { cwd });
  expect([status, stdout]).toEqual([0, expect.stringContaining('- `n.txt` +1 −0')]);
  const into = ['export', '--last', '--to', 'run.md'];
  expect((await loopfold(into, { cwd })).status).toBe(0);
  expect(await readFile(join(cwd, 'run.md'), 'utf8')).toBe(stdout);
  expect(await loopfold(into, { cwd })).toMatchObject({ status: 2, stderr: expect.stringContaining('--to') });
  expect((await loopfold(['export', '--as', 'pdf'], { cwd })).status).toBe(2);
});
