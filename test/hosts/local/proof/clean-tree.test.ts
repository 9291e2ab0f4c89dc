import { expect, test } from 'vitest';
import { scriptedModel } from '../../../../src/actors/model/model-script.ts';
import { Loops } from '../../../../src/hosts/local/local-host.ts';
import { memoryLog } from '../../../../src/log/sqlite/engine.ts';
import { repository } from '../../../git/repository.ts';
import { testInTurn } from '../../../support/in-turn.ts';
import { tool } from '../../../support/stand-ins.ts';
import { history } from '../../../support/run-history.ts';
import { NODE_TESTS } from '../../../support/node-tests.ts';

/** A run that mends its source, and commits that in its second iteration. */
async function began(checks: readonly string[]) {
  const { root, commit, write, git } = await repository({
    '.gitignore': '.loopfold\n',
    'one.cjs': 'module.exports = 2;\n',
    'one.test.cjs': "require('node:test')('one', () => require('node:assert').equal(require('./one.cjs'), 1));\n",
  });
  await commit();
  const mends = tool('mend', async () => {
    await write({ 'one.cjs': 'module.exports = 1;\n' });
    return { output: 'mended' };
  });
  const commits = tool('commit', async () => {
    await git('commit', '--quiet', '--all', '--message=mended');
    return { output: 'committed' };
  });
  const attempts = ['mend', 'commit'].map((name) => ({
    answers: [{ calls: [{ tool: name, arguments: {} }] }, { text: 'Done.' }],
  }));
  const log = memoryLog();
  const loops = new Loops({ log, model: scriptedModel({ attempts }), tools: [mends, commits] });
  const live = await loops.start({
    prompt: 'mend one',
    loop: 'iteration',
    directory: root,
    checks: [...checks],
    tools: ['mend', 'commit'],
    maxIterations: 3,
  });
  const done = await live.done;
  return { run: live.run, done, events: await history(log, live.run) };
}

testInTurn('V3 R9 clean-tree asks the git of the workspace, once the work is proven in its checkout', async () => {
  const { run, done, events } = await began([`L1:${NODE_TESTS}`, 'clean-tree']);
  expect(done).toMatchObject({ kind: 'ended', outcome: { ending: 'success', verified: { grade: 'witnessed' } } });
  const verified = events.flatMap((one) =>
    one.type === 'verification.completed' && one.run === run ? [one.payload] : [],
  );
  expect(verified).toMatchObject([
    { passed: false, proof: { legs: [{ passed: true }] } },
    { passed: true, proof: { legs: [{ passed: true }] } },
  ]);
  expect(JSON.stringify(verified[0])).toContain('not committed');
  expect(events.find(({ type }) => type === 'baseline.taken')?.payload).toMatchObject({
    levels: [{ level: 'L1', checks: [{ name: NODE_TESTS }] }],
  });
});

test('V3 clean-tree alone has no work to prove, and runs in the workspace', async () => {
  const { done, events } = await began(['clean-tree']);
  expect(done).toMatchObject({ kind: 'ended', outcome: { ending: 'success' } });
  expect(events.filter(({ type }) => type === 'baseline.taken')).toEqual([]);
});
