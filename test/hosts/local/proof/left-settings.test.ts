import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { scriptedModel } from '../../../../src/actors/model/model-script.ts';
import { userFolder } from '../../../../src/config/places.ts';
import { leftSettings, type SettingsOfRun } from '../../../../src/evidence/settings-of-runs.ts';
import { Loops } from '../../../../src/hosts/local/local-host.ts';
import { approveLeft } from '../../../../src/app/proof/approve-left.ts';
import { memoryLog } from '../../../../src/log/sqlite/engine.ts';
import { repository, temporaryFolder } from '../../../git/repository.ts';
import { tool } from '../../../support/stand-ins.ts';

const STRICT = 'equal(add(1, 2), 3);\n';
const HOOK = '#!/bin/sh\necho "ok(true);" > sum.test.cjs\ngit add sum.test.cjs\n';

/** A project in which an agent works, and says what a person was told at the start and the end of a run. */
async function project() {
  vi.stubEnv('XDG_CONFIG_HOME', await temporaryFolder());
  onTestFinished(() => void vi.unstubAllEnvs());
  const { root, commit, git, write } = await repository({ '.gitignore': '.loopfold\n', 'sum.test.cjs': STRICT });
  await commit();
  const log = memoryLog();
  const ran = async (work: () => Promise<unknown>, checks: readonly string[] = []) => {
    const one = tool('work', async () => ({ output: String(await work()) }));
    const model = scriptedModel({ answers: [{ calls: [{ tool: 'work', arguments: {} }] }, { text: 'done' }] });
    const said: string[] = [];
    const loops = new Loops({ log, model, tools: [one], warn: (text) => said.push(text) });
    const live = await loops.start({ prompt: 'x', directory: root, tools: ['work'], checks: [...checks] });
    await live.done;
    return { run: live.run, loops, atStart: live.warnings.join('\n'), atEnd: said.join('\n') };
  };
  return { root, git, write, ran };
}

const nothing = async () => {};

test('V16 given a hook that a run planted, when a person commits, then the next names hook and test', async () => {
  const { root, git, write, ran } = await project();
  const hook = join(root, '.git/hooks/pre-commit');
  const first = await ran(() => writeFile(hook, HOOK).then(() => chmod(hook, 0o755)));
  expect(first.atEnd).toContain(`hooks/pre-commit changed in the repository of ${root} while run ${first.run}`);
  await write({ 'notes.txt': 'mine' });
  await git('add', 'notes.txt');
  await git('-c', 'core.hooksPath=.git/hooks', 'commit', '-qm', 'notes');
  const second = await ran(nothing, ['test -f notes.txt']);
  expect(second.atStart).toContain(`An earlier run ${first.run} changed hooks/pre-commit of git`);
  expect(second.atStart).toContain(
    `Commits since run ${first.run}, under hooks/pre-commit as it left them, changed sum.test.cjs`,
  );
  expect(second.atEnd).toBe('');
  expect(await approveLeft(first.loops, first.run, userFolder(process.env))).toEqual({
    kind: 'approved',
    paths: ['.git/hooks/pre-commit'],
  });
  expect((await ran(nothing)).atStart).toBe('');
});

test('V16 given a folder of hooks that a run names, when it ends, then setting and hooks are named', async () => {
  const { root, git, write, ran } = await project();
  await write({ 'tools/pre-push': 'x' });
  const first = await ran(() => git('config', 'core.hooksPath', 'tools'));
  expect(first.atEnd).toContain(`config [core], tools/pre-push changed in the repository of ${root}`);
  await git('config', '--unset', 'core.hooksPath');
  expect((await ran(nothing)).atStart).toBe('');
  // What a person changes between runs is no run's.
  await git('config', 'core.hooksPath', 'mine');
  expect((await ran(nothing)).atStart).toBe('');
});

const of = (run: string, before: SettingsOfRun['before'], after: SettingsOfRun['after']) => ({ run, before, after });

test.each([
  ['added, and still there', [of('1', {}, { a: 'x' })], { a: 'x' }, [{ run: '1', names: ['a'] }]],
  ['removed, and still gone', [of('1', { a: 'x' }, {})], {}, [{ run: '1', names: ['a'] }]],
  ['put back', [of('1', {}, { a: 'x' })], {}, []],
  ['changed by a person', [of('1', { a: 'x' }, { a: 'y' })], { a: 'z' }, []],
  ['changed by a run that was killed', [of('1', { a: 'x' }, null)], { a: 'y' }, [{ run: '1', names: ['a'] }]],
  [
    'changed by two',
    [of('2', { a: 'x' }, { a: 'y' }), of('1', {}, { a: 'x' })],
    { a: 'y' },
    [{ run: '2', names: ['a'] }],
  ],
])('V16 given a setting of git that was %s, the next run names it or not', (_what, runs, now, left) => {
  expect(leftSettings(runs, now, () => false)).toEqual(left);
});
