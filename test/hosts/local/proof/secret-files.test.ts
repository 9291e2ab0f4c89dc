import { lastValueFrom, toArray } from 'rxjs';
import { expect, test } from 'vitest';
import type { RunOptions } from '../../../../src/config/options.ts';
import { repository } from '../../../git/repository.ts';
import { uncapturedSince } from '../../../../src/verification/capture-gaps.ts';
import { testInTurn } from '../../../support/in-turn.ts';
import { type Files, type Work, worked } from './proof-project.ts';

const FILES: Files = {
  'work.cjs': 'module.exports = () => 0;\n',
  'check.cjs': "process.exit(require('./work.cjs')() === 1 ? 0 : 1);\n",
};
/** The work, in a file that no capture has. */
const HIDDEN: Files = {
  '.env.js': 'module.exports = () => 1;\n',
  'work.cjs': "module.exports = require('./.env.js');\n",
};

async function ran(work: Work, files: Files, installed: Files = {}, more: Partial<RunOptions> = {}) {
  const checks = [{ level: 'L1' as const, name: 'unit', command: 'node check.cjs' }];
  const run = await worked({ files, installed, checks }, work, { checkIn: 'proof', ...more });
  const events = await lastValueFrom(run.loops.events(run.run).pipe(toArray()));
  return { ...run, text: JSON.stringify(events), types: events.map(({ type }) => String(type)) };
}

testInTurn(
  'V3 work in a file that looks secret proves nothing, and the model is told that no check has it',
  async () => {
    const { ending, text, run, loops } = await ran({ write: HIDDEN }, FILES);
    expect(ending).not.toBe('success');
    expect(text).toContain('so the checks ran without them');
    expect(text).toContain('- .env.js: it looks secret');
    expect(await loops.diff(run)).toMatchObject({ leftOut: [{ path: '.env.js' }], files: [{ path: 'work.cjs' }] });
  },
);

const NEEDS_ENV: Files = { ...FILES, 'work.cjs': 'module.exports = () => Number(process.env.N);\n' };
const CHECK = "process.loadEnvFile('.env');\n";
const WITH_ENV: Files = { ...NEEDS_ENV, 'check.cjs': `${CHECK}${FILES['check.cjs']}`, 'a.txt': '' };

testInTurn('V1 a check that needs a file that looks secret is told the option that provides it', async () => {
  const work: Work = { write: { 'a.txt': 'done' } };
  const without = await ran(work, WITH_ENV, { '.env': 'N=1\n' });
  expect(without.text).toContain('which is .env, which no capture has: --provide .env. Or let');
  expect(without.types).not.toContain('model.completed');
  const { ending, text } = await ran(work, WITH_ENV, { '.env': 'N=1\n' }, { provide: ['.env'] });
  expect(ending).toBe('success');
  expect(text).toMatch(/"leftOut":\[[^\]]*"path":"\.env"/);
});

testInTurn('V3 a provided file that looks secret is not the one that the run has put there', async () => {
  const work: Work = { write: { 'a.txt': 'done', '.env': 'N=1\n' } };
  const { ending, text } = await ran(work, WITH_ENV, { '.env': 'N=0\n' }, { provide: ['.env'] });
  expect(ending).not.toBe('success');
  expect(text).toContain('Put them back as they were: .env');
  expect(text).not.toContain('so the checks ran without them');
});

test('V3 what a checkout lacks is told of the run alone, and not of what lay there or is provided', async () => {
  const { root, write } = await repository();
  await write({ '.env': '1', '.env.given': '2' });
  const leftOut = ['.env', '.env.given', 'gone'].map((path) => ({ path, because: 'x' }));
  const files = [{ path: '.env.given', sha256: '' }];
  const since = (at: number) =>
    uncapturedSince(leftOut, { origin: { root }, provided: { root, files }, since: new Date(at) });
  expect(await since(Date.now() - 60_000)).toEqual([leftOut[0]]);
  expect(await since(Date.now() + 60_000)).toEqual([]);
});
