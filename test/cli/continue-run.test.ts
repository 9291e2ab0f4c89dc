import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { askedToContinue } from '../../src/cli/args/continue-flag.ts';
import { testInTurn } from '../support/in-turn.ts';
import { folder, loopfold as inProcess, MODEL, project, resultIn } from './program.ts';
import { loopfold } from './warm-process.ts';

const SCRIPT = { answers: [{ text: 'It is done.' }] };

describe('G7 which run --continue means, and which text', () => {
  test.each([
    ['the flag alone, beside a text', true, 'Go on.', false, { run: null, argument: 'Go on.' }],
    ['a text after it', 'Go on.', undefined, false, { run: null, argument: 'Go on.' }],
    ['a run and a text', '4f2a91c0', 'Go on.', false, { run: '4f2a91c0', argument: 'Go on.' }],
    ['a run, and a text from stdin', '4f2a91c0', undefined, false, { run: '4f2a91c0', argument: undefined }],
    ['a run, and a text from a file', 'nearly', undefined, true, { run: 'nearly', argument: undefined }],
    [
      'a word that could be an id by its letters alone',
      'decade',
      undefined,
      false,
      { run: 'decade', argument: undefined },
    ],
  ] as const)('%s', (_name, value, argument, hasFile, expected) => {
    expect(askedToContinue(value, argument, hasFile)).toEqual(expected);
  });
});

describe.concurrent('G7 run --continue', () => {
  testInTurn('continues the last run of the folder that has ended, and says what the thread has used', async () => {
    const cwd = await project(SCRIPT);
    const words = ['run', 'x', ...MODEL, '--max-steps', '7', '--output-format', 'json'];
    const { run } = resultIn(await loopfold(words, { cwd }));
    const short = run?.slice(-8) ?? '';
    const ended = await loopfold(['run', '--continue', 'And now?'], { cwd });
    expect(ended).toMatchObject({ status: 0, stdout: 'It is done.\n' });
    expect(ended.stderr).toMatch(new RegExp(`^ {2}continues run ${short}, after [\\d,]+ tokens$`, 'm'));
    const shown = JSON.parse((await loopfold(['show', '--last', '--json'], { cwd })).stdout);
    expect(shown.settings).toMatchObject({
      prompt: 'And now?',
      limits: { maxSteps: 7 },
      thread: { continues: run },
      history: [{ text: 'x' }, { text: 'It is done.' }, { text: expect.stringContaining('success') }],
    });
    const dry = await loopfold(['run', '--continue', short, 'Once more.', '--dry-run'], { cwd });
    expect(dry.stdout).toMatch(/^user\n {2}x\n\nassistant\n {2}It is done\.\n\nuser\n {2}The work on that has ended/m);
    const runs = JSON.parse((await loopfold(['runs', '--json'], { cwd })).stdout);
    expect(runs).toHaveLength(2);
  });

  testInTurn('names files that have changed since, in one line', async () => {
    const cwd = await project(SCRIPT, { 'a.txt': 'a' });
    await loopfold(['run', 'x', ...MODEL], { cwd });
    await writeFile(join(cwd, 'a.txt'), 'b');
    const dry = await loopfold(['run', '--continue', 'And now?', '--dry-run'], { cwd });
    expect(dry.stdout).toMatch(
      /^warning +The workspace has changed since run \S+ ended: a\.txt\. The model is told so/m,
    );
    expect(dry.stdout).toContain('These files are no longer as you left them: a.txt.');
    const { stderr } = await loopfold(['run', '--continue', 'And now?'], { cwd });
    expect(stderr).toMatch(/^warning: The workspace has changed since run \S+ ended: a\.txt\. The model is told so/m);
  });

  test('G7 a verb that refuses an ended run names run --continue', async () => {
    const cwd = await project(SCRIPT);
    await loopfold(['run', 'x', ...MODEL], { cwd });
    for (const words of [
      ['extend', '--last'],
      ['steer', '--last', 'More.'],
      ['resume', '--last'],
    ]) {
      const { stderr } = await loopfold(words, { cwd });
      expect(stderr).toMatch(/^(?:Try:|next) .* run --continue \w{8} TEXT$/m);
    }
  });

  testInTurn('refuses what it cannot continue, with what helps', async () => {
    const asks = { answers: [{ text: 'Which?', calls: [{ tool: 'ask_user', arguments: { question: 'Which?' } }] }] };
    const cwd = await project(asks);
    await loopfold(['run', 'x', ...MODEL], { cwd });
    const none = await loopfold(['run', '--continue', 'More.'], { cwd });
    expect(none).toMatchObject({ status: 2, stderr: expect.stringContaining('a run of this folder that has ended') });
    const { run } = (JSON.parse((await loopfold(['runs', '--json'], { cwd })).stdout) as { run: string }[])[0] ?? {};
    const open = await loopfold(['run', '--continue', run ?? '', 'More.'], { cwd });
    expect(open).toMatchObject({ status: 2, stderr: expect.stringMatching(/has not ended.*\nTry: .* resume \w{8}$/m) });
    const unknown = await loopfold(['run', '--continue', 'ffffffff', 'More.'], { cwd });
    expect(unknown).toMatchObject({ status: 2, stderr: expect.stringContaining("found 'ffffffff'") });
    const elsewhere = await folder();
    const log = `sqlite:${join(cwd, '.loopfold/log.db')}`;
    const other = await inProcess(['run', '--continue', '--log', log, 'More.'], { cwd: elsewhere });
    expect(other.status).toBe(2);
  });
});
