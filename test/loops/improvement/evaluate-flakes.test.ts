import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { testInTurn } from '../../support/in-turn.ts';
import { check, headOf } from './evaluated.ts';
import { NODE_TESTS } from '../../support/node-tests.ts';

async function armIn(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'loopfold-flake-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return join(folder, 'armed');
}

/** Code that throws once where a file is there, and removes it. */
const failsOnceWith = (arm: string): string =>
  `if (require('node:fs').existsSync('${arm}')) { require('node:fs').rmSync('${arm}'); throw new Error('once'); }`;

const testOf = (name: string, body: string): string => `require('node:test')('${name}', () => { ${body} });\n`;

test('I9 a test that fails once and passes again is named, and neither passes nor refuses', async () => {
  const arm = await armIn();
  const files = { 'a.test.cjs': testOf('wavers', failsOnceWith(arm)), 'b.test.cjs': testOf('stands', '') };
  const on = await headOf({ files, checks: [check('unit', NODE_TESTS)], walls: 'off' });
  await writeFile(arm, '');
  const said = await on.evaluate({ 'a.txt': 'a\n' }, { source: 'ideas' });
  expect(existsSync(arm)).toBe(false);
  expect(said.end).toMatchObject({ passed: true });
  expect(said.tiers.find(({ tier }) => tier === 'L1')).toMatchObject({ passed: true });
  expect(said.flickered).toEqual(['L1/unit: fails: a.test.cjs: wavers']);
});

testInTurn('I9 a failing test that passes now and then is named, and its candidate refused', async () => {
  const arm = await armIn();
  const files = {
    'luck.cjs': 'module.exports = () => false;\n',
    'luck.test.cjs': testOf('holds', "require('node:assert').ok(require('./luck.cjs')());"),
  };
  const on = await headOf({ files, checks: [check('unit', NODE_TESTS)], walls: 'off' });
  const discovery = on.found.find(({ title }) => title.includes('holds'));
  // Passes in the first run, and fails in the second.
  const chance = `const { appendFileSync, readFileSync } = require('node:fs');
appendFileSync('${arm}', '.');
module.exports = () => readFileSync('${arm}', 'utf8').length === 1;
`;
  const said = await on.evaluate({ 'luck.cjs': chance }, { ...discovery, id: 'it' });
  expect(said.end).toMatchObject({ passed: false, tier: 'proof' });
  expect(said.end?.reason).toContain('failed when it was checked again: holds');
});

testInTurn('I9 a test that failed on the head, and passes there the next time, is mended by no change', async () => {
  const arm = await armIn();
  const fails = `if (require('node:fs').existsSync('${arm}')) throw new Error('armed');`;
  const files = { 'a.test.cjs': testOf('wavers', fails), 'b.test.cjs': testOf('stands', '') };
  await writeFile(arm, '');
  const on = await headOf({ files, checks: [check('unit', NODE_TESTS)], walls: 'off' });
  const discovery = on.found.find(({ title }) => title.includes('wavers'));
  expect(discovery?.source).toBe('failing-tests');
  await rm(arm);
  const said = await on.evaluate({ 'a.txt': 'a\n' }, { ...discovery, id: 'it' });
  expect(said.end).toMatchObject({ passed: false, tier: 'resolves' });
  expect(said.end?.reason).toBe(`it passes on the head, too, when it runs again: ${discovery?.title}`);
  expect(said.flickered).toEqual([discovery?.title]);
});
