import { mkdir, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { RecordedProof } from '../../../../machines/recorded-proof.ts';
import { scriptedModel } from '../../../../src/actors/model/model-script.ts';
import { MAX_READ_BYTES, outsideIdentity } from '../../../../src/actors/proof/outside-identity.ts';
import { outsidePlaces } from '../../../../src/actors/proof/outside-places.ts';
import { interpreterIn } from '../../../../src/actors/proof/shebang.ts';
import { startedBy } from '../../../../src/evidence/command-words.ts';
import { gradeOf } from '../../../../src/evidence/grade.ts';
import { commandsOfScript, scriptsRunBy } from '../../../../src/evidence/shell-scripts.ts';
import { outsideNames } from '../../../../src/evidence/outside-names.ts';
import { Loops } from '../../../../src/hosts/local/local-host.ts';
import { memoryLog } from '../../../../src/log/sqlite/engine.ts';
import { repository, temporaryFolder } from '../../../git/repository.ts';
import { testInTurn } from '../../../support/in-turn.ts';
import { tool } from '../../../support/stand-ins.ts';

const AROUND = { root: '/code/here', home: '/ada' };
const namedBy = (command: string) => outsideNames(startedBy(command, AROUND.root), AROUND).map(({ path }) => path);
const outsideOf = (command: string) => namedBy(command).filter((path) => !path.startsWith('/code/here/'));

test.each([
  ['bash /opt/x/run-tests.sh', ['/opt/x/run-tests.sh']],
  ['python3 ../tools/check.py', ['/code/tools/check.py']],
  ['make -C ../other', ['/code/other']],
  ['make -C../other', ['/code/other']],
  ['npm --prefix=../x test', ['/code/x']],
  ['. ../env.sh && ~/bin/verify', ['/code/env.sh', '/ada/bin/verify']],
  ['cd ../other && bash run.sh', ['/code/other', '/code/other/run.sh']],
  ['cd /code/here/sub && bash ../../near.sh', ['/code/near.sh']],
  ['PYTHONPATH=../lib:/opt/lib pytest', ['/code/lib', '/opt/lib']],
  ["node --test '../shared/*.test.js'", ['/code/shared']],
  ['pytest --junitxml=/opt/out.xml -o /opt/more > /opt/log', []],
  ['grep -q done ../notes.txt', []],
  ['eslint -c ../eslint.js src', ['/code/eslint.js']],
  ['curl http://localhost/x "$DIR/y" tests/a.js', []],
])('V16 given the check %j, what it names outside is %j', (command, paths) => {
  expect(outsideOf(command)).toEqual(paths);
});

test.each([
  ['#!/usr/bin/env -S node --import ./x.js\n', 'node'],
  ['#!/usr/bin/env -i A=b tool\n', 'tool'],
  ['#! /opt/x/bin/python -s\n', '/opt/x/bin/python'],
  ['echo', null],
])('V16 given %j, a script is run by %j', (text, interpreter) => {
  expect(interpreterIn(text)).toBe(interpreter);
});

test('V16 given links and scripts, when places are looked for, then those outside are found, one step on', async () => {
  const [above, far] = [await temporaryFolder(), await temporaryFolder()];
  const root = join(above, 'here');
  await mkdir(join(root, 'in'), { recursive: true });
  await mkdir(join(far, 'tests'));
  await writeFile(join(far, 'engine'), '');
  await writeFile(join(far, 'run'), `#!${far}/engine\n`);
  await writeFile(join(far, 'other'), '#!/usr/bin/env -S named\n');
  await symlink('../hop', join(root, 'tests'));
  await symlink(join(far, 'tests'), join(above, 'hop'));
  await symlink('b', join(root, 'a'));
  await symlink('a', join(root, 'b'));
  await symlink('in', join(root, 'near'));
  const named = [`${far}/run`, `${far}/other`, `${root}/tests`, root, above, '/dev/null', '/usr'];
  const asked = named.map((path) => ({ path, isCertain: true }));
  const links = ['tests', 'a', 'near'].map((name) => join(root, name));
  expect(await outsidePlaces(root, asked, links)).toEqual({
    paths: [`${above}/*`, `${above}/hop`, `${far}/engine`, `${far}/other`, `${far}/run`, `${far}/tests`].toSorted(),
    programs: ['named'],
  });
});

test.each([
  ['bash -e a.sh', ['/code/here/a.sh']],
  ['./check', ['/code/here/check']],
  ['. lib/a.sh', ['/code/here/lib/a.sh']],
  ['cd sub && gmake', ['GNUmakefile', 'makefile', 'Makefile'].map((name) => `/code/here/sub/${name}`)],
  ['bash -n a.sh', []],
])('V16 given the check %j, the scripts that it runs are %j', (command, paths) => {
  expect(startedBy(command, AROUND.root).flatMap(scriptsRunBy)).toEqual(paths);
});

test.each([
  ['a/Makefile', 'all:\n\t@-run it\nx = y\n', ['run it']],
  ['check', '#!/usr/bin/env bash\nrun it\n', ['#!/usr/bin/env bash\nrun it\n']],
  ['check', '#!/usr/bin/env python3\nrun(it)\n', []],
])('V16 given %s with %j, its commands are %j', (path, text, commands) => {
  expect(commandsOfScript(path, text)).toEqual(commands);
});

const BACK = new Date('2020-01-01T00:00:00Z');

test('V16 given a folder, when a file in it changes and its times are put back, then it is another one', async () => {
  const folder = await temporaryFolder();
  const file = join(folder, 'sub/a.js');
  await mkdir(join(folder, 'sub/.git'), { recursive: true });
  await symlink('../..', join(folder, 'sub/circle'));
  await writeFile(file, 'old');
  await utimes(file, BACK, BACK);
  const look = async () => [await outsideIdentity(folder), await outsideIdentity(`${folder}/*`)];
  const before = await look();
  await writeFile(join(folder, 'sub/.git/index'), '');
  expect(await look()).toEqual(before);
  await writeFile(file, 'new');
  await utimes(file, BACK, BACK);
  const [whole, direct] = await look();
  expect(whole).not.toBe(before[0]);
  expect(direct).toBe(before[1]);
  await writeFile(join(folder, 'Makefile'), '');
  expect(await outsideIdentity(`${folder}/*`)).not.toBe(direct);
  await rm(folder, { recursive: true });
  expect(await look()).toEqual([null, null]);
});

test('V16 given a file over the limit, when it changes, then its times tell', async () => {
  const file = join(await temporaryFolder(), 'large');
  await writeFile(file, Buffer.alloc(MAX_READ_BYTES + 1));
  const before = await outsideIdentity(file);
  expect(await outsideIdentity(file)).toBe(before);
  await writeFile(file, Buffer.alloc(MAX_READ_BYTES + 1, 1));
  expect(await outsideIdentity(file)).not.toBe(before);
});

/** What was recorded of a run whose check and tests lie elsewhere, by an agent that empties files there. */
async function ran(written: readonly string[]) {
  const far = await temporaryFolder();
  await mkdir(join(far, 'shared'));
  await writeFile(join(far, 'run.sh'), 'exec node tests/sum.js');
  await writeFile(join(far, 'shared/sum.js'), "if (require('./sum.cjs')(1, 2) !== 3) process.exit(1);");
  const { root, commit } = await repository({
    '.gitignore': '.loopfold\n',
    'package.json': JSON.stringify({ scripts: { test: 'make -s check' } }),
    Makefile: `check:\n\t@bash ${far}/run.sh\n`,
    'sum.cjs': 'module.exports = (a, b) => a - b;\n',
  });
  await symlink(join(far, 'shared'), join(root, 'tests'));
  await commit();
  const one = tool('work', async (_input, { directory }) => {
    await writeFile(join(directory, 'sum.cjs'), 'module.exports = (a, b) => a + b;\n');
    for (const path of written) await writeFile(join(far, path), '');
    return { output: '' };
  });
  const model = scriptedModel({ answers: [{ calls: [{ tool: 'work', arguments: {} }] }, { text: 'done' }] });
  const log = memoryLog();
  const loops = new Loops({ log, model, tools: [one] });
  const options = { prompt: 'x', directory: root, tools: ['work'], checks: ['L1:npm test'], walls: 'off' as const };
  const live = await loops.start(options);
  await live.done;
  let proof: RecordedProof | undefined;
  for await (const { type, payload } of log.read(live.run))
    if (type === 'verification.completed') proof = (payload as { proof?: RecordedProof }).proof;
  if (!proof) throw new Error('nothing was proven');
  return { far, because: gradeOf(proof).because, changed: proof.outsideChanged };
}

test('V16 given a check elsewhere, when a run empties its files, then it is weak and names them', async () => {
  const { far, because, changed } = await ran(['run.sh', 'shared/sum.js']);
  expect(because).toContain('outside-changed');
  expect(changed).toEqual([join(far, 'run.sh'), join(far, 'shared/sum.js')]);
});

testInTurn('V16 given a check elsewhere, when a run leaves it as it is, then nothing there has changed', async () => {
  const { because, changed } = await ran([]);
  expect(because).not.toContain('outside-changed');
  expect(changed).toBe(undefined);
});
