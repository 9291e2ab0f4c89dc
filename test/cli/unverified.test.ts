import { spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { LoopMetrics, LoopState } from '../../src/projections/loop-state.ts';
import { MODEL, project, resultIn } from './program.ts';
import { loopfold } from './warm-process.ts';

/** Each starts the program several times, side by side. */
const JSON_FORMAT = ['--output-format', 'json'];

const write = (content: string) => ({
  answers: [{ calls: [{ tool: 'write', arguments: { path: 'n.txt', content } }] }, { text: 'TASK_COMPLETE' }],
});
const strategy = (name: string, config: object) => ['--strategy', JSON.stringify({ name, config })];
const half = ['--verify', 'L0:grep 1 n.txt', '--verify', 'L1:grep 3 n.txt'];

describe.concurrent('what is not proven is called so', () => {
  test('L10 16: a partial success names what was taken, what it still fails, and how to get its files', async () => {
    const cwd = await project({ attempts: [write('1'), write('2')] });
    const words = [...half, ...strategy('hybrid', { baseIterations: 2, maxBonusIterations: 0, acceptPartialAfter: 1 })];
    const { status, stderr } = await loopfold(['run', 'x', ...MODEL, ...words], { cwd });
    expect(status).toBe(16);
    expect(stderr).toContain('success, partial: accepted as it is: iteration 1');
    expect(stderr).toContain('taken  iteration 1 as it was left; still failing: L1/grep 3 n.txt');
    const command = /files {2}(git restore --source (refs\/loopfold\/\S+\/1) -- :\/)\n/.exec(stderr);
    expect(await readFile(join(cwd, 'n.txt'), 'utf8')).toBe('2');
    expect(spawnSync('sh', ['-c', command?.[1] ?? 'false'], { cwd }).status).toBe(0);
    expect(await readFile(join(cwd, 'n.txt'), 'utf8')).toBe('1');

    const shown = await loopfold(['show', '--last'], { cwd });
    expect(shown.stdout).toMatch(/outcome +success, partial\n/);
    expect(shown.stdout).toMatch(/taken +iteration 1 as it was left; still failing: L1\/grep 3 n\.txt\n/);
    expect(shown.stdout).toContain(command?.[1]);
    expect(shown.stdout).toMatch(/strategy +\{/);
    expect((await loopfold(['runs'], { cwd })).stdout).toContain('success, partial');
    expect((await loopfold(['resume', /^run (\S+)/.exec(shown.stdout)?.[1] ?? ''], { cwd })).status).toBe(16);
  });

  test('L11 16: a signal where the checks are left out is finished, and unverified, everywhere', async () => {
    const cwd = await project({ attempts: [write('1')] });
    const words = [...half, ...strategy('ralph', { minIterations: 1, skipVerification: true })];
    const ended = await loopfold(['run', 'x', ...MODEL, ...words, ...JSON_FORMAT], { cwd });
    expect(ended.status).toBe(16);
    expect(resultIn(ended)).toMatchObject({
      exit: 16,
      verdict: 'success, unverified',
      outcome: { ending: 'success', verified: null, partial: false },
    });
    expect(ended.stderr).toContain('success, unverified: finished, though no check has proven the work');
    expect((await loopfold(['show', '--last'], { cwd })).stdout).toMatch(/outcome +success, unverified\n/);
    expect((await loopfold(['runs'], { cwd })).stdout).toContain('success, unverified');
    expect(JSON.parse((await loopfold(['runs', '--json'], { cwd })).stdout)).toMatchObject([
      { verdict: 'success, unverified' },
    ]);
    expect((await loopfold(['resume', resultIn(ended).run ?? ''], { cwd })).stderr).toContain(
      'has ended already: success, unverified',
    );
  });

  test('L2 the CI is asked once no check failed, and told wherever the checks are', async () => {
    const cwd = await project({ attempts: [write('1'), write('3')] });
    await writeFile(join(cwd, 'ci.sh'), 'echo asked >> .git/asked; echo build 7 failed; exit 1\n');
    const { status, stderr } = await loopfold(
      ['run', 'x', ...MODEL, '--verify', 'grep 3 n.txt', '--accept', 'verified', '--ci', 'sh ci.sh'],
      {
        cwd,
      },
    );
    expect(status).toBe(0);
    expect(await readFile(join(cwd, '.git/asked'), 'utf8')).toBe('asked\n');
    expect(stderr).toMatch(/✗ ci .*\n.*build 7 failed/);
    const { stdout } = await loopfold(['show', '--last'], { cwd });
    expect(stdout).toMatch(/2\/3 .*✓ L0 grep 3 n\.txt ✗ ci/);
    expect(stdout).toMatch(/✗ ci .*\n +build 7 failed/);
    expect(JSON.parse((await loopfold(['show', '--last', '--json'], { cwd })).stdout)).toMatchObject({
      verification: { passed: true, ci: { passed: false, output: 'build 7 failed\n' } },
      iterations: [{ ci: null }, { ci: { passed: false } }],
    });
  });

  test('L8 a CI that passes proves nothing: without checks it is a success without verification', async () => {
    const cwd = await project({ attempts: [write('1')] });
    const words = ['--ci', 'true', ...strategy('hybrid', { completionCriteria: ['ci_pass'] })];
    const ended = await loopfold(['run', 'x', ...MODEL, ...words, ...JSON_FORMAT], { cwd });
    expect(resultIn(ended)).toMatchObject({ exit: 0, outcome: { ending: 'success', verified: null } });
  });
});

test('L15 the files are as the log has it when the program is over, whatever ended it', async () => {
  const cwd = await project({ attempts: [write('1'), write('2')] });
  const { run } = resultIn(
    await loopfold(
      ['run', 'x', ...MODEL, ...half, '--max-iterations', '2', '--state-directory', 'state', ...JSON_FORMAT],
      { cwd },
    ),
  );
  const read = async (name: string) => JSON.parse(await readFile(join(cwd, 'state', name), 'utf8'));
  expect(LoopState.parse(await read('loop-state.json'))).toMatchObject({
    run,
    status: 'ended',
    outcome: { ending: 'cap_hit' },
  });
  expect(LoopMetrics.parse(await read('metrics.json')).iterations.map(({ checksPassed }) => checksPassed)).toEqual([
    1, 0,
  ]);
  const refused = await loopfold(['run', 'x', ...MODEL, ...half, '--state-directory', '../elsewhere'], { cwd });
  expect(refused).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('stateDirectory (--state-directory): expected a folder in the workspace'),
  });
});
