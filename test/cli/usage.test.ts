import { STRATEGY_KINDS } from '../../src/strategies/strategy-kinds.ts';
import { describe, expect, test } from 'vitest';
import { testInTurn } from '../support/in-turn.ts';
import { folder, listing, MODEL, project, resultIn } from './program.ts';
import { loopfold } from './warm-process.ts';

const STRATEGIES = STRATEGY_KINDS.map(({ name }) => name).join(', ');

const DONE = { answers: [{ text: 'done' }] };

describe.concurrent('what cannot be asked for ends with status 2, says what to do, and leaves nothing behind', () => {
  const wrong: readonly (readonly [string, readonly string[], readonly string[]])[] = [
    ['no verb', [], ['start ', '--help']],
    ['an unknown verb', ['rnu'], ['rnu', 'Did you mean run', 'Verbs: demo, run, improve, resume']],
    [
      'help for an unknown verb',
      ['help', 'nope'],
      ["unknown command 'nope'", 'Verbs: demo, run, improve, resume', '--help'],
    ],
    [
      'an unknown flag',
      ['run', 'x', ...MODEL, '--max-iteratoins', '3'],
      ['--max-iteratoins', 'Did you mean --max-iterations', 'run --help'],
    ],
    [
      'an unknown flag that the short help leaves out',
      ['run', 'x', ...MODEL, '--max-stpes', '3'],
      ["unknown option '--max-stpes' (Did you mean --max-steps?)"],
    ],
    [
      'a flag of the program by another name',
      ['run', 'x', ...MODEL, '--db', 'runs.db'],
      ["unknown option '--db' (Did you mean --log?)", 'run --help'],
    ],
    [
      'a flag of the verb by another name',
      ['run', 'x', ...MODEL, '--check=true'],
      ["'--check=true' (Did you mean --verify?)"],
    ],
    ['a flag that another verb has by another name', ['runs', '--timeout', '1h'], ["unknown option '--timeout'\n"]],
    ['a flag that is still to come', ['run', 'x', ...MODEL, '--detach'], ['--detach', 'run --help']],
    ['an empty prompt', ['run', '', ...MODEL], ['prompt (PROMPT)', "found ''"]],
    ['a prompt of several words without quotes', ['run', 'fix', 'it', ...MODEL], ['too many arguments']],
    ['no model', ['run', 'x'], ['model (--model)', 'script:FILE']],
    [
      'R1 labels of which none chooses a loop',
      ['run', 'x', ...MODEL, '--label', 'bug', '--label', 'ralph'],
      ['labels (--label)', 'ralph-wiggum or ralph-wiggum-N', "found 'bug, ralph'"],
    ],
    [
      'R2 a promise without a label',
      ['run', 'x', ...MODEL, '--completion-promise', 'SHIPPED'],
      ['completionPromise (--completion-promise)', 'such as --label ralph-wiggum'],
    ],
    [
      'R1 another loop beside a label',
      ['run', 'x', ...MODEL, '--label', 'ralph-wiggum-3', '--loop', 'turn'],
      ['loop (--loop)', 'the label ralph-wiggum-3 chooses the loop ralph'],
    ],
    [
      'T3 a cap above the ceiling',
      ['run', 'x', ...MODEL, '--max-steps', '201'],
      ['maxSteps (--max-steps)', 'at most 200', 'found 201'],
    ],
    [
      'R3 iterations above the ceiling',
      ['run', 'x', ...MODEL, '--verify', 'true', '--max-iterations', '101'],
      ['at most 100', 'found 101'],
    ],
    [
      'a cap that is no number',
      ['run', 'x', ...MODEL, '--max-tokens', 'many'],
      ['maxTokens (--max-tokens)', "found 'many'"],
    ],
    ['a time without a unit', ['run', 'x', ...MODEL, '--max-time', '30'], ['maxTime (--max-time)', "found '30'"]],
    [
      'a loop without any cap',
      ['run', 'x', ...MODEL, '--loop', 'iteration', '--max-iterations', 'none'],
      ['a cap on the loop'],
    ],
    [
      'L14 an unknown strategy',
      ['run', 'x', ...MODEL, '--strategy', 'spiral'],
      [`strategy (--strategy): expected one of: ${STRATEGIES}, found 'spiral'\n`],
    ],
    ['L14 a strategy spelt wrong', ['run', 'x', ...MODEL, '--strategy', 'fixd'], ["found 'fixd'. Did you mean fixed?"]],
    [
      'an unknown loop',
      ['run', 'x', ...MODEL, '--loop', 'spiral'],
      [
        'loop (--loop)',
        "'turn', 'iteration', 'ralph', 'improvement', 'contest', or the path of a module",
        "found 'spiral'",
      ],
    ],
    ['an unknown level', ['run', 'x', ...MODEL, '--verify', 'L9:true'], ['--verify', 'L0, L1, L2 or L3']],
    ['an unknown format', ['run', 'x', ...MODEL, '--output-format', 'xml'], ['xml', 'stream-json']],
    ['a script that does not parse', ['run', 'x', '-m', 'script:broken.json'], ['broken.json', 'is not JSON']],
    ['a script that is not there', ['run', 'x', '-m', 'script:none.json'], ['none.json', 'ENOENT']],
    ['an unknown model', ['run', 'x', '-m', 'oracle/1'], ['oracle', 'script:FILE']],
    ['a prompt file that is not there', ['run', '--prompt-file', 'none.md', ...MODEL], ['none.md', 'ENOENT']],
    ['two prompts', ['run', 'x', '--prompt-file', 'model.json', ...MODEL], ['either PROMPT or --prompt-file']],
    [
      'a log of a kind that is not known',
      ['run', 'x', ...MODEL, '--log', 'mysql://x'],
      ['--log', 'sqlite:PATH', 'found another one'],
    ],
  ];

  testInTurn.for(wrong)('%s', async ([, words, says]) => {
    const cwd = await project(DONE, { 'broken.json': '{"answers": [' }, false);
    const before = await listing(cwd);
    const { status, stdout, stderr } = await loopfold(words, { cwd });
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    for (const part of says) expect(stderr).toContain(part);
    expect(await listing(cwd)).toEqual(before);
  });

  testInTurn('a verb that changes a run does not guess which', async () => {
    const cwd = await project(DONE);
    for (const verb of ['extend', 'abort']) {
      const { status, stderr } = await loopfold([verb], { cwd });
      expect({ verb, status }).toEqual({ verb, status: 2 });
      expect(stderr).toContain('--last');
    }
  });

  test('a program that asked for JSON gets a result, whatever is wrong', async () => {
    const cwd = await project(DONE);
    for (const format of ['--output-format=json', '--output-format=stream-json']) {
      const ended = await loopfold(['run', 'x', '--max-stpes', '3', format], { cwd });
      expect(resultIn(ended)).toMatchObject({
        exit: 2,
        state: 'failed',
        run: null,
        error: expect.stringContaining('--max-stpes'),
      });
    }
  });
});

test('a hint names the verb, wherever the flags of the program stand', async () => {
  const cwd = await project(DONE);
  for (const words of [
    ['-C', '.', 'run', '--bad'],
    ['--log', 'memory:', '-C', '.', 'run', 'x', '-m', 'nothing:x'],
  ]) {
    const { status, stderr } = await loopfold(words, { cwd });
    expect(status).toBe(2);
    expect(stderr).toMatch(/^Try: .* run --help/m);
  }
});

describe.concurrent('what is missing around a run ends with status 5 and says the remedy', () => {
  test('an iteration run outside git', async () => {
    const cwd = await project(DONE, {}, false);
    const before = await listing(cwd);
    const { status, stderr } = await loopfold(['run', 'x', ...MODEL, '--verify', 'true'], { cwd });
    expect(status).toBe(5);
    expect(stderr).toContain(`git init ${cwd}`);
    expect(await listing(cwd)).toEqual(before);
  });

  test('a folder that is not there', async () => {
    const cwd = await project(DONE);
    const { status, stderr } = await loopfold(['run', 'x', ...MODEL, '-C', 'nowhere'], { cwd });
    expect(status).toBe(5);
    expect(stderr).toContain('nowhere');
  });

  test.for(['runs', 'show', 'events', 'rebuild', 'resume'])(
    '%s where there is no log, which it does not make',
    async (verb) => {
      const cwd = await folder();
      const { status, stdout, stderr } = await loopfold([verb], { cwd });
      expect({ status, stdout }).toEqual({ status: 5, stdout: '' });
      expect(stderr).toContain('Start a run first');
      expect(await listing(cwd)).toEqual([]);
    },
  );
});
