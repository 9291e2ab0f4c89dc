import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { git as askGit } from '../../../git/repository.ts';
import { testInTurn } from '../../../support/in-turn.ts';
import { type ProofProject, type Work, WAYS, worked } from './proof-project.ts';

/** Passes where the work is done, and the submodule has the files of its commit. */
const CHECK = `const { readFileSync } = require('node:fs');
process.exit(readFileSync('work.txt', 'utf8') + readFileSync('sub/data/n.txt', 'utf8') === 'done42' ? 0 : 1);
`;
const PROJECT: ProofProject = {
  files: { 'check.cjs': CHECK, 'work.txt': 'begun' },
  inner: { 'data/n.txt': '42', 'a.txt': '' },
  checks: [{ level: 'L1', name: 'unit', command: 'node check.cjs' }],
};
const DONE: Work = { write: { 'work.txt': 'done' } };

test('B7 a check that reads a submodule passes in a checkout, which has the files of its commit', async () => {
  const { ending } = await worked(PROJECT, DONE, { checkIn: 'proof' });
  expect(ending).toBe('success');
});

testInTurn.each(WAYS)('B7 each leg has the submodule as the run recorded it, walls: $walls', async ({ options }) => {
  const shell = 'cd sub && printf 7 > data/n.txt && git -c user.name=a -c user.email=a@b.example commit -aqm seven';
  const { proof } = await worked(PROJECT, { ...DONE, shell });
  const { legs } = await proof(options);
  expect(legs.map(({ levels }) => levels.map(({ passed }) => passed))).not.toContainEqual([true]);
  const honest = await worked(PROJECT, DONE);
  // What is not committed in a submodule is in no tree.
  await writeFile(join(honest.root, 'sub/data/n.txt'), 'not committed');
  expect(await honest.proof(options)).toMatchObject({ proven: true });
});

testInTurn('B7 a submodule that is not initialised in the folder is empty in a checkout', async () => {
  const checks = [{ level: 'L1' as const, name: 'empty', command: 'test -z "$(ls sub)" && grep -q done work.txt' }];
  const { root, proof } = await worked({ ...PROJECT, checks }, DONE);
  expect((await proof()).proven).toBe(false);
  await askGit(root, 'submodule', 'deinit', '--force', 'sub');
  expect(await proof()).toMatchObject({ proven: true });
});

test('B7 a run does not begin where a path in a submodule is to be provided, and says what to do', async () => {
  const start = worked(PROJECT, DONE, { checkIn: 'proof', provide: ['sub/data/'] });
  await expect(start).rejects.toThrow(/provide.*repository sub.*Commit there.*sub\/data/s);
});
