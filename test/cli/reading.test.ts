import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { testInTurn } from '../support/in-turn.ts';
import { folder, listing, loopfold as inOwnProcess, MODEL, project, resultIn } from './program.ts';
import { loopfold } from './warm-process.ts';

const write = (content: string) => ({ calls: [{ tool: 'write', arguments: { path: 'n.txt', content } }] });
let cwd = '';
let run = '';

beforeAll(async () => {
  cwd = await project({ attempts: ['1', '2'].map((n) => ({ answers: [write(n), { text: `wrote ${n}` }] })) });
  const ended = await loopfold(
    ['run', 'write two', ...MODEL, '--verify', 'L1:grep 2 n.txt', '--output-format', 'json'],
    { cwd },
  );
  run = resultIn(ended).run ?? '';
});

const json = async (...words: string[]) => JSON.parse((await loopfold([...words, '--json'], { cwd })).stdout);

describe('a run is read without being touched', () => {
  test('show: outcome, evidence, reason, iterations, what was used, what next', async () => {
    const { status, stdout, stderr } = await loopfold(['show'], { cwd });
    expect(status).toBe(0);
    expect(stdout).toContain(`run ${run}`);
    expect(stdout).toMatch(/outcome +success, verified/);
    expect(stdout).toMatch(/because +the checks passed/);
    expect(stdout).toMatch(
      new RegExp(`evidence +${run}/\\d+ \\(the checks of iteration 2 passed on tree [0-9a-f]{12}\\)`),
    );
    expect(stdout).toMatch(/1\/3 +success, 2 steps +[\d.]+ s +✗ L1 grep 2 n.txt +n.txt \+1 −0/);
    expect(stdout).toMatch(/2\/3 +success, 2 steps +[\d.]+ s +✓ L1 grep 2 n.txt +n.txt \+1 −1/);
    expect(stdout).toMatch(/spent +4 steps, 2 tool calls, [\d,]+ tokens/);
    expect(stdout).toMatch(/\n {2}change {2}1 file, \+1 −0: .* diff [\da-f]{8}\n$/);
    expect(stderr).toContain('next');
  });

  test('G1 show --prompt: the system prompt once, and what each attempt was told', async () => {
    const { status, stdout } = await loopfold(['show', '--prompt'], { cwd });
    expect(status).toBe(0);
    expect(stdout.match(/You are a coding agent/g)).toHaveLength(1);
    expect(stdout).toContain('system prompt (coder@1)');
    expect(stdout).toContain('This is attempt 2 of 3.');
    const told = await json('show', '--prompt');
    expect(told).toMatchObject([
      { systemVersion: 'coder@1', prompts: [expect.stringContaining('write two')] },
      { system: told[0].system, prompts: [expect.stringContaining('L1/grep 2 n.txt')] },
    ]);
  });

  testInTurn(
    'show: what the evidence is, the time of each iteration, files in total, and what each model cost',
    async () => {
      const report =
        '<testsuite><testcase name="adds"/><testcase name="subtracts"><failure message="3 !== 4"/></testcase></testsuite>';
      const price = { inputPerMillion: 2, outputPerMillion: 10, source: 'the price list of May' };
      const usage = {
        inputTokens: 1_000,
        outputTokens: 50,
        cachedInputTokens: 400,
        cost: { nanoUsd: 12_300_000, price },
      };
      const place = await project(
        {
          answers: [
            { ...write('1'), usage },
            { text: 'done', usage: { ...usage, estimated: true } },
          ],
        },
        { 'report.xml': report },
      );
      const ended = await loopfold(
        ['run', 'x', ...MODEL, '--verify', 'cat report.xml; false', '--max-iterations', '1', '--output-format', 'json'],
        { cwd: place },
      );
      expect(resultIn(ended)).toMatchObject({
        exit: 10,
        costUsd: 0.0246,
        usage: { inputTokens: 2_000, outputTokens: 100, cachedInputTokens: 800, estimatedTokens: 1_050 },
        models: [{ requests: 2, costNanoUsd: 24_600_000 }],
      });
      const { stdout } = await loopfold(['show'], { cwd: place });
      expect(stdout).toMatch(/evidence +\S+\/\d+ \(verification\.completed failed: ✗ L0 cat report\.xml; false\)/);
      expect(stdout).toMatch(/spent +2 steps, 1 tool call, ~2,100 tokens, \$0\.0246/);
      expect(stdout).toMatch(/took +\d+\.\d s$/m);
      expect(stdout).toMatch(/1\/1 +success, 2 steps +\d+\.\d s +✗ L0 cat report\.xml; false/);
      expect(stdout).toMatch(/✗ L0 cat report\.xml; false 1 passed, 1 failed, \d+\.\d s\n +✗ subtracts: 3 !== 4\n/);
      expect(stdout).toMatch(/files {2}1 file, \+1 −0: n\.txt/);
      expect(stdout).toMatch(/script:\S+ +2 +~2,000 +800 +~100 +\$0\.0246 +the price list of May/);
      expect((await loopfold(['runs'], { cwd: place })).stdout).toContain('$0.0246');
      const whole = JSON.parse((await loopfold(['show', '--json'], { cwd: place })).stdout);
      expect(whole).toMatchObject({
        account: { models: [{ requests: 2 }] },
        evidence: [{ type: 'verification.completed' }],
        change: [{ path: 'n.txt', status: 'added', added: 1, removed: 0 }],
        next: ['extend', 'diff', 'undo'].map((verb) => expect.stringContaining(` ${verb} `)),
      });
    },
  );

  test('a run is found by the end or the beginning of its id, and by nothing that is too short', async () => {
    expect((await json('show', run.slice(-6))).run).toBe(run);
    expect((await json('show', run.slice(0, 20))).run).toBe(run);
    expect(await loopfold(['show', run.slice(-3)], { cwd })).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('4 or more characters'),
    });
  });

  test('an attempt is a run too, and leads to the run it belongs to', async () => {
    const { iterations } = await json('show');
    const child = await loopfold(['show', iterations[0].child], { cwd });
    expect(child.stdout).toContain(`attempt of  ${run}/`);
    expect(child.stderr).toContain(`show ${run}`);
  });

  test('rebuild: the state at a version is the one the next event found', async () => {
    const { stdout } = await loopfold(['events', '--json'], { cwd });
    const events = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const settled = events.find(({ type }) => type === 'child.settled').version;
    const before = await json('rebuild', '--at', String(settled - 1));
    expect(before).toMatchObject({
      run,
      version: settled - 1,
      machine: 'iteration@1',
      value: 'stream',
      status: 'active',
    });
    expect(before.outstanding.map(({ actor }: { actor: string }) => actor)).toContain('runAgent');
    expect(before.context.iterations).toBe(1);
    expect((await json('rebuild')).value).toBe('success');
    const text = await loopfold(['rebuild', '--at', '1'], { cwd });
    expect(text.stdout).toContain('state decide.judging (iteration@1, active)');
    expect(await loopfold(['rebuild', '--at', '999'], { cwd })).toMatchObject({
      status: 2,
      stderr: expect.stringContaining(`a version from 1 to ${events.length}`),
    });
    expect((await loopfold(['rebuild', '--at', '0'], { cwd })).status).toBe(2);
  });

  test('runs: one line a run, attempts left out', async () => {
    const { stdout } = await loopfold(['runs'], { cwd });
    expect(stdout).toMatch(new RegExp(`^${run.slice(-8)} +success, verified +.* ago +write two\\n$`));
    expect(await json('runs')).toMatchObject([
      { run, standing: { kind: 'ended', ending: 'success' }, prompt: 'write two' },
    ]);
  });

  // In processes of their own: what a process leaves open is closed at its end.
  testInTurn('nothing a verb reads with changes the log, and git sees none of it', async () => {
    const cwd = await project({ answers: [{ text: 'done' }] });
    await inOwnProcess(['run', 'x', ...MODEL, '--verify', 'true', '--check-in', 'workspace'], { cwd });
    const file = join(cwd, '.loopfold/log.db');
    const before = await readFile(file);
    for (const verb of ['runs', 'show', 'events', 'rebuild'])
      expect((await inOwnProcess([verb], { cwd })).status).toBe(0);
    expect((await readFile(file)).equals(before)).toBe(true);
    expect(
      (await listing(cwd)).filter((path) => path.startsWith('.loopfold/') && !path.includes('heads')).toSorted(),
    ).toEqual(['.loopfold/.gitignore', '.loopfold/log.db']);
    const status = spawn('git', ['-C', cwd, 'status', '--short', '--ignored=no']);
    let shown = '';
    status.stdout.on('data', (text) => (shown += text));
    await once(status, 'close');
    expect(shown).not.toContain('.loopfold');
  });
});

describe('where the log lies', () => {
  testInTurn(
    'at the root of the worktree, from any folder in it; elsewhere with --log; nowhere in memory',
    async () => {
      const root = await project({ answers: [{ text: 'done' }] });
      await mkdir(join(root, 'deep/down'), { recursive: true });
      const model = `script:${join(root, 'model.json')}`;
      expect((await loopfold(['run', 'x', '-m', model], { cwd: join(root, 'deep/down') })).status).toBe(0);
      expect((await loopfold(['runs', '-C', 'deep'], { cwd: root })).stdout).toContain('success');
      const other = join(await folder(), 'other.db');
      expect((await loopfold(['run', 'y', '-m', model, '--log', `sqlite:${other}`], { cwd: root })).status).toBe(0);
      expect((await loopfold(['runs', '--log', `sqlite:${other}`], { cwd: root })).stdout).toContain('  y\n');
      expect((await loopfold(['run', 'z', '-m', model, '--log', 'memory:'], { cwd: root })).status).toBe(0);
      expect((await loopfold(['runs'], { cwd: root })).stdout.trimEnd().split('\n')).toHaveLength(1);
      expect((await listing(root)).filter((path) => path.endsWith('.loopfold'))).toEqual(['.loopfold']);
    },
  );

  test('7: a file that is no log, or no longer one, is refused and left as it is', async () => {
    const place = await project({ answers: [{ text: 'done' }] }, {}, false);
    await loopfold(['run', 'x', ...MODEL], { cwd: place });
    const log = join(place, '.loopfold/log.db');
    const whole = await readFile(log);
    const foreign = Buffer.from('these are my notes\n'.repeat(200));
    for (const broken of [foreign, whole.subarray(0, whole.length - 5_000)]) {
      await writeFile(log, broken);
      for (const words of [['show'], ['resume'], ['run', 'y', ...MODEL]]) {
        const { status, stderr } = await loopfold(words, { cwd: place });
        expect({ words, status }).toEqual({ words, status: 7 });
        expect(stderr).toContain('log.db');
      }
      expect((await readFile(log)).equals(broken)).toBe(true);
    }
  });
});
