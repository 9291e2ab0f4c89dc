import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folder, loopfold, MAIN } from './program.ts';

const file = join(MAIN, '../bin.js');
const pretend = (version: string) => ['--import', `data:text/javascript,Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })`];

test.for([['20.19.5', 5], ['22.12.0', 5], ['22.13.0', 0], ['24.0.0', 0]] as const)('on Node %s the published program ends with %i', async ([version, status]) => {
  const cwd = await folder();
  const ended = await loopfold(['--version'], { cwd, file, node: pretend(version) });
  expect(ended.status).toBe(status);
  if (status === 0) expect(ended.stdout).toMatch(/^\d+\.\d+\.\d+/);
  else expect(ended.stderr).toContain(`needs Node 22.13 or newer, and this is Node ${version}`);
});
