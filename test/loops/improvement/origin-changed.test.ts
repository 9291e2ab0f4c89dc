import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { git } from '../../git/repository.ts';
import { testInTurn } from '../../support/in-turn.ts';
import { stopped } from '../../support/stand-ins.ts';
import { worktreesOf } from '../../hosts/local/isolation/isolated.ts';
import { factsOf } from '../../hosts/local/office.ts';
import { improving } from './improving.ts';
import { SUMS } from './night.ts';
import { tenthOf } from '../../support/tenth.ts';

/** An experiment that mends its fault, while something changes beside it. */
async function mending(beside: (root: string) => Promise<unknown>, command: ((root: string) => string) | null = null) {
  const at = await improving(async ({ directory }) => {
    await writeFile(join(directory, 'sum.js'), SUMS.fixed);
    await beside(at.root);
  }, command);
  const live = await at.start();
  const end = await live.done;
  const of = async <Type extends Parameters<typeof factsOf>[2]>(type: Type) =>
    (await factsOf(at.log, live.run, type)).map(({ payload }) => payload);
  const [evaluated] = await of('evaluation.completed');
  const warnings = (await of('warning.raised')).filter(({ code }) => code.endsWith('_changed'));
  const report = JSON.stringify(await at.loops().report(live.run));
  return { ...at, run: live.run, end, evaluated, told: warnings, kept: await of('integration.completed'), report };
}

testInTurn('I9 nothing is told, and nothing refused, where nothing changes beside an experiment', async () => {
  const { told, kept, warnings, report } = await mending(async () => {});
  expect(told).toEqual([]);
  expect(kept).toHaveLength(1);
  expect(warnings).toEqual([]);
  expect(report).not.toContain('What changed beside it');
});

testInTurn(
  'I9 files that change in the folder of the person are named with the experiment, which is kept',
  async () => {
    const { told, kept, report } = await mending(async (root) => {
      await writeFile(join(root, 'sum.js'), 'mine\n');
      await writeFile(join(root, 'new.js'), 'mine, too\n');
    });
    expect(told).toEqual([
      { code: 'origin_changed', message: expect.stringMatching(/^new\.js, sum\.js changed while/) },
    ]);
    expect(told[0]?.message).toContain('experiment failing-tests-');
    expect(kept).toHaveLength(1);
    expect(report).toContain('What changed beside it');
    expect(report).toContain('new.js, sum.js changed while');
  },
);

const CHANGES: readonly (readonly [what: string, name: string, change: (root: string) => Promise<void>])[] = [
  ['a hook', 'hooks/pre-push', (root: string) => writeFile(join(root, '.git/hooks/pre-push'), 'exit 1\n')],
  [
    'a setting',
    'config [core]',
    (root: string) => writeFile(join(root, '.git/config'), '[core]\nhooksPath = /x\n', { flag: 'a' }),
  ],
  ['attributes', 'info/attributes', (root: string) => writeFile(join(root, '.git/info/attributes'), '* -text\n')],
];

test.each(tenthOf(CHANGES))(
  'I9 an experiment is refused beside which %s of the repository changes',
  async (_what, name, change) => {
    const { told, kept, evaluated, warnings, report } = await mending(change);
    expect(told).toEqual([{ code: 'repository_changed', message: expect.stringContaining(name) }]);
    expect(evaluated).toMatchObject({ passed: false, tier: 'repository', reason: told[0]?.message });
    expect(kept).toEqual([]);
    expect(warnings).toEqual([expect.stringContaining(name)]);
    expect(report).toContain('repository');
  },
);

testInTurn('I9 a new branch is named, and refuses an experiment whose commands name the folder', async () => {
  const person = await mending(async (root) => git(root, 'branch', 'mine'));
  expect(person.told).toEqual([
    { code: 'origin_changed', message: expect.stringMatching(/^refs\/heads\/mine changed/) },
  ]);
  expect(person.kept).toHaveLength(1);
  const agent = await mending(
    async () => {},
    (root) => `git -C ${root} branch mine`,
  );
  expect(agent.told).toEqual([{ code: 'repository_changed', message: expect.stringContaining('refs/heads/mine') }]);
  expect(agent.evaluated).toMatchObject({ passed: false, tier: 'repository' });
  const above = await mending(
    async () => {},
    () => 'cd ../../.. && git branch mine',
  );
  expect(above.evaluated).toMatchObject({ passed: false, tier: 'repository' });
});

testInTurn('I9 what changed beside an experiment that was cut off is said at the end of the run', async () => {
  const begun = Promise.withResolvers<void>();
  const at = await improving(async (context) => {
    await writeFile(join(at.root, 'new.js'), 'mine\n');
    begun.resolve();
    await stopped(context);
    throw new Error('stopped');
  });
  const live = await at.start();
  await begun.promise;
  await live.abort('user');
  await live.done;
  expect(at.warnings).toEqual([expect.stringMatching(/^new\.js changed while the experiment failing-tests-/)]);
  expect(await worktreesOf(at.root)).toEqual([]);
});
