import { describe, expect, test } from 'vitest';
import { testInTurn } from '../support/in-turn.ts';
import { loopfold as inOwnProcess, MODEL, project, resultIn } from './program.ts';
import { loopfold } from './warm-process.ts';

const list = { calls: [{ tool: 'list', arguments: { path: '.' } }] };
const look = (depth: number) => ({ calls: [{ tool: 'list', arguments: { depth } }] });
/** Each starts the program several times, side by side. */
const JSON_FORMAT = ['--output-format', 'json'];

describe.concurrent('the status says how a run ended', () => {
  test('a run that finished without checks ends with 0', async () => {
    const cwd = await project({ answers: [{ text: 'done' }] }, {}, false);
    const ended = await loopfold(['run', 'x', ...MODEL], { cwd });
    expect(ended).toMatchObject({ status: 0, stdout: 'done\n' });
  });

  testInTurn('V5 16: the checks passed, in the workspace, with the evidence', async () => {
    const cwd = await project({ answers: [{ text: 'done' }] });
    const words = ['run', 'x', ...MODEL, '--verify', 'true', '--check-in', 'workspace', ...JSON_FORMAT];
    const ended = await loopfold(words, { cwd });
    const result = resultIn(ended);
    expect(result).toMatchObject({
      exit: 16,
      state: 'ended',
      outcome: { ending: 'success', verified: { workspace: expect.any(String), grade: 'weak' } },
    });
    expect(result.evidence).toEqual([expect.stringMatching(`^${result.run}/\\d+$`)]);
    expect(ended.status).toBe(16);
  });

  testInTurn('3 and 4: a model that a person has to mend, also in an attempt', async () => {
    const ended = await Promise.all(
      ['authentication', 'provider_unavailable'].map(async (code) => {
        const cwd = await project({ answers: [{ error: { code, message: 'no' } }] });
        const alone = await loopfold(['run', 'x', ...MODEL], { cwd });
        return [alone.status, (await loopfold(['run', 'x', ...MODEL, '--verify', 'true'], { cwd })).status];
      }),
    );
    expect(ended).toEqual([
      [3, 3],
      [4, 4],
    ]);
  });

  testInTurn('T12 10: the checks never passed, and the summary says which limit was hit', async () => {
    const cwd = await project({ answers: [{ text: 'done' }] });
    const { status, stdout, stderr } = await loopfold(
      ['run', 'x', ...MODEL, '--verify', 'echo sum is 3 not 4; false', '--max-iterations', '2'],
      { cwd },
    );
    expect(status).toBe(10);
    expect(stdout).toContain('iteration limit reached (2/2)');
    expect(stderr).toContain('iteration 2/2');
    expect(stderr).toContain('sum is 3 not 4');
    expect(stderr).toMatch(/extend \w+ --max-iterations 4/);
  });

  testInTurn('T12 10: the line of an attempt that failed says why, and so does the reason of the loop', async () => {
    const cwd = await project({ answers: [list] });
    const caps = ['--max-iterations', '1', '--max-steps', '1'];
    const { status, stderr } = await loopfold(
      ['run', 'x', ...MODEL, '--verify', 'false', '--strategy', 'hybrid', ...caps],
      { cwd },
    );
    expect(status).toBe(10);
    expect(stderr).toMatch(/^ +attempt cap_hit: step limit reached \(1\/1\) \(1 step, /m);
    expect(stderr).toContain('no iteration is left; the attempt ended: step limit reached (1/1)');
  });

  testInTurn('L17 10: the time is over, though it was the last attempt: every page says so', async () => {
    const cwd = await project({ answers: [{ calls: [{ tool: 'shell', arguments: { command: 'sleep 60' } }] }] });
    const ended = await loopfold(
      ['run', 'x', ...MODEL, '--verify', 'false', '--max-iterations', '1', '--max-time', '12s', ...JSON_FORMAT],
      { cwd },
    );
    expect(ended.status).toBe(10);
    const result = resultIn(ended);
    expect(result).toMatchObject({
      exit: 10,
      outcome: { ending: 'cap_hit', limit: { name: 'time_ms', limit: 12_000 } },
    });
    expect(result.reason).toMatch(/^time limit reached \(12s\)/);
    const { stdout, stderr } = await loopfold(['show', '--last'], { cwd });
    expect(stdout).toMatch(/because +time limit reached \(12s\)/);
    expect(stderr).toMatch(/extend \w+ --max-time \w+ --max-iterations 2/);
    expect((await loopfold(['redecide', '--last'], { cwd })).stdout).toMatch(/agrees +(\d+) of \1 judgements/);
  });

  test('T7 a run that repeats one call ends with 11', async () => {
    const cwd = await project({ answers: [{ ...list, repeat: 9 }] });
    const { status, stdout } = await loopfold(['run', 'x', ...MODEL], { cwd });
    expect(status).toBe(11);
    expect(stdout).toContain('list');
  });

  test('T6 12: no tool call is left', async () => {
    const cwd = await project({ answers: [look(1), look(2), look(3), look(4)] });
    const ended = await loopfold(['run', 'x', ...MODEL, '--max-tool-calls', '2', ...JSON_FORMAT], { cwd });
    expect(ended.status).toBe(12);
    expect(resultIn(ended)).toMatchObject({
      exit: 12,
      outcome: { ending: 'budget', limit: { name: 'tool_calls', used: 2, limit: 2 } },
    });
  });

  test('a run that a persistent error ended has status 13, and says how to try again', async () => {
    const cwd = await project({ answers: [list] });
    const { status, stdout, stderr } = await loopfold(['run', 'x', ...MODEL], { cwd });
    expect(status).toBe(13);
    expect(stdout).toMatch(/^abort: .*no answer for attempt 1, step 2.*, after 2 steps, 1 tool call, \d+ tokens$/m);
    expect(stderr).toContain('no answer for attempt 1, step 2');
    expect(stderr).toMatch(/next .* resume \w+/);
  });
});

describe.concurrent('a run goes on from its ending', () => {
  testInTurn(
    'extend goes on under another cap, as a run of its own, and show leads from one to the other',
    async () => {
      const cwd = await project({
        attempts: [1, 2, 3].map((n) => ({
          answers: [{ calls: [{ tool: 'write', arguments: { path: 'n.txt', content: `${n}` } }] }, { text: `${n}` }],
        })),
      });
      const first = resultIn(
        await loopfold(
          [
            'run',
            'x',
            ...MODEL,
            '--verify',
            'grep 3 n.txt',
            '--accept',
            'verified',
            '--max-iterations',
            '2',
            ...JSON_FORMAT,
          ],
          {
            cwd,
          },
        ),
      );
      expect(first.exit).toBe(10);

      const notRaised = await loopfold(['extend', '--last', '--max-iterations', '2'], { cwd });
      expect(notRaised.status).toBe(2);
      expect(notRaised.stderr).toContain(
        'maxIterations (--max-iterations): expected more than the 2 already used, found 2',
      );
      expect(notRaised.stderr).toMatch(/Try: .* extend \w{8} --max-iterations 4\n/);
      const tooMuch = await loopfold(['extend', '--last', '--max-iterations', '101'], { cwd });
      expect(tooMuch).toMatchObject({ status: 2, stderr: expect.stringContaining('at most 100') });
      const endless = await loopfold(['extend', '--last', '--max-iterations', 'none'], { cwd });
      expect(endless).toMatchObject({ status: 2, stderr: expect.stringContaining('a cap on the loop') });

      const second = resultIn(
        await loopfold(['extend', first.run ?? '', '--max-iterations', '3', ...JSON_FORMAT], { cwd }),
      );
      expect(second).toMatchObject({
        exit: 0,
        outcome: { ending: 'success' },
        iterations: [{ passed: false }, { passed: false }, { passed: true }],
      });
      const [old, young] = await Promise.all([first, second].map(({ run }) => loopfold(['show', run ?? ''], { cwd })));
      expect(old?.stdout).toMatch(new RegExp(`continued as +${second.run}`));
      expect(young?.stdout).toMatch(new RegExp(`continues +${first.run} from version`));
    },
  );

  test('resume of a run that has ended says so again, with the same status', async () => {
    const cwd = await project({ answers: [{ text: 'the answer' }] });
    const ended = await loopfold(['run', 'x', ...MODEL, '--output-format', 'json'], { cwd });
    const again = await loopfold(['resume', resultIn(ended).run ?? ''], { cwd });
    expect(again).toMatchObject({
      status: 0,
      stdout: 'the answer\n',
      stderr: expect.stringContaining('has ended already'),
    });
    expect((await loopfold(['extend', '--last'], { cwd })).status).toBe(2);
    expect((await loopfold(['abort', '--last'], { cwd })).status).toBe(2);
  });
});

describe.concurrent('a module that ends the process, or never lets it begin, makes no success of it', () => {
  testInTurn('a module that ends the process in a run leads to 1, a result and the resume command', async () => {
    const cwd = await project({ answers: [] }, { 'ends.mjs': 'export default () => process.exit(0);' });
    const ended = await inOwnProcess(['run', 'x', '-m', 'script:ends.mjs', '--verify', 'true', ...JSON_FORMAT], {
      cwd,
    });
    expect(ended.status).toBe(1);
    expect(ended.stderr).toContain('the process ended in the middle of the run');
    const { run, exit, next } = resultIn(ended);
    expect({ exit, next }).toEqual({ exit: 1, next: [expect.stringContaining(`resume ${run}`)] });
    expect(ended.stderr).toContain(`next  ${next[0]}`);
    expect((await loopfold(['runs', '--json'], { cwd })).stdout).toContain(`"${run}"`);
  });

  testInTurn.for([
    ['never finishes loading', 'await new Promise(() => {}); export default 1;'],
    ['ends the process as it is loaded', 'process.exit(0);'],
  ] as const)('2: one that %s', async ([, source]) => {
    const cwd = await project({ answers: [] }, { 'model.mjs': source });
    const ended = await inOwnProcess(['run', 'x', '-m', 'script:model.mjs', '--verify', 'true', ...JSON_FORMAT], {
      cwd,
    });
    expect(ended.status).toBe(2);
    expect(ended.stderr).toContain('never finished loading');
    expect(resultIn(ended)).toMatchObject({ exit: 2, run: null, state: 'failed' });
  });
});
