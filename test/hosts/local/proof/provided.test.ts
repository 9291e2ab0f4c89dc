import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { lastValueFrom, toArray } from 'rxjs';
import { expect, onTestFinished, test } from 'vitest';
import type { RunOptions } from '../../../../src/config/options.ts';
import { type Files, HAS_WALLS, proved, type Work, worked } from './proof-project.ts';
import { testInTurn } from '../../../support/in-turn.ts';

const IGNORED = '.loopfold\nnode_modules\n.env.test\ndata\ndist\n';
/** Passes when the work is done, and what git ignores is there. */
const CHECK = `const { readFileSync } = require('node:fs');
process.exit(readFileSync('work.txt', 'utf8') === 'done' && readFileSync('.env.test', 'utf8') === 'KEY=1' ? 0 : 1);
`;
const FILES: Files = { '.gitignore': IGNORED, 'check.cjs': CHECK, 'work.txt': 'begun' };
const DONE: Work = { write: { 'work.txt': 'done' } };

/** A run whose checks prove its work, and what each verification of it said. */
async function ran(work: Work, more: Partial<RunOptions>, files: Files = FILES, check = 'node check.cjs') {
  const installed = { '.env.test': 'KEY=1', 'data/a': '1', 'data/b/c': '2' };
  const project = { files, installed, checks: [{ level: 'L1' as const, name: 'unit', command: check }] };
  const run = await worked(project, work, { checkIn: 'proof', ...more });
  const events = await lastValueFrom(run.loops.events(run.run).pipe(toArray()));
  return { ...run, text: JSON.stringify(events), types: events.map(({ type }) => String(type)) };
}

testInTurn('V3 a check has the ignored files that are provided, also in folders, and no others', async () => {
  const check = `if (!require('node:fs').existsSync('data/b/c')) process.exit(1);\n${CHECK}`;
  const provide = ['.env.test', 'data/'];
  const files = { ...FILES, 'check.cjs': check };
  expect((await ran(DONE, { provide }, files)).ending).toBe('success');
  expect((await ran(DONE, { provide: ['.env.test'] }, files)).ending).not.toBe('success');
});

testInTurn('V3 a provided file that the run changes is named, and nothing passes until it is as it was', async () => {
  const { ending, text, root, loops, run } = await ran(
    { ...DONE, shell: 'printf KEY=2 > .env.test' },
    { provide: ['.env.test'] },
    { ...FILES, 'check.cjs': CHECK.replace("=== 'KEY=1'", "!== ''") },
  );
  expect(ending).not.toBe('success');
  expect(text).toContain('Put them back as they were: .env.test');
  await writeFile(join(root, '.env.test'), 'KEY=1');
  expect(await proved(loops, run)).toMatchObject({ proven: true });
  await rm(join(root, '.env.test'));
  expect(await proved(loops, run)).toMatchObject({ proven: false, doubts: expect.arrayContaining(['provided']) });
});

test.each(['nothing-there', 'check.cjs/within'])('V3 a run does not begin where %s is to be provided', async (path) => {
  await expect(ran(DONE, { provide: [path] })).rejects.toThrow(/provide/);
});

testInTurn('V3 what git keeps is in a checkout as it is recorded, also where it is provided', async () => {
  const { ending } = await ran(DONE, { provide: ['.env.test', 'work.txt'] });
  expect(ending).toBe('success');
});

const BUILT: Files = {
  '.gitignore': IGNORED,
  'work.txt': 'begun',
  'build.cjs': "require('node:fs').mkdirSync('dist'); require('node:fs').copyFileSync('work.txt', 'dist/out.txt');\n",
};

testInTurn('V3 each checkout is prepared before its checks, and what that makes is of the work', async () => {
  const prepare = ['node build.cjs'];
  const { ending, loops, run } = await ran(DONE, { prepare }, BUILT, 'grep -q done dist/out.txt');
  expect(ending).toBe('success');
  expect(await proved(loops, run)).toMatchObject({ proven: true });
  expect((await ran(DONE, {}, BUILT, 'grep -q done dist/out.txt')).ending).not.toBe('success');
});

testInTurn(
  'V1 a checkout that cannot be prepared ends the run before a model is asked, and says what to do',
  async () => {
    const { ending, text, types } = await ran(DONE, { prepare: ['echo no compiler; exit 3'] });
    expect(ending).toBe('abort');
    expect(text).toContain('prepare: echo no compiler; exit 3: no compiler');
    expect(text).toContain('--prepare');
    expect(types).not.toContain('model.completed');
  },
);

testInTurn('V3 work that cannot be prepared fails, and its checks do not run', async () => {
  const prepare = ['test ! -e broken'];
  const { ending, text } = await ran(
    { write: { 'work.txt': 'done', broken: '' } },
    { prepare, provide: ['.env.test'] },
  );
  expect(ending).not.toBe('success');
  expect(text).toContain('prepare: test ! -e broken');
});

if (HAS_WALLS)
  testInTurn('V3 checks reach the network where they ask for it, and else not', async () => {
    const server = createServer((_request, answer) => answer.end('done'));
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const asks = `fetch('http://127.0.0.1:${port}').then(() => require('./check.cjs'), () => process.exit(2));\n`;
    const files = { ...FILES, 'asks.cjs': asks };
    const run = (network: boolean) => {
      const checks = [{ level: 'L1' as const, name: 'asks', command: 'node asks.cjs', network }];
      return ran(DONE, { checks, provide: ['.env.test'] }, files);
    };
    expect((await run(true)).ending).toBe('success');
    expect((await run(false)).ending).not.toBe('success');
  });
