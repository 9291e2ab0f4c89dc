import { expect, test } from 'vitest';
import { testInTurn } from '../support/in-turn.ts';
import { MODEL, project, resultIn } from './program.ts';
import { loopfold } from './warm-process.ts';

const JSON_FORMAT = ['--output-format', 'json'] as const;
const ASKS = {
  answers: [{ calls: [{ tool: 'ask_user', arguments: { question: 'Which one?' } }] }, { text: 'That one.' }],
};
const OTHER = ['-m', 'script:other.json'] as const;
const answering = () => project(ASKS, { 'other.json': JSON.stringify({ answers: [{ text: 'done' }] }) }, false);

testInTurn('resume without a run takes the newest that has not ended, though a later one has', async () => {
  const cwd = await answering();
  const asked = await loopfold(['run', 'x', ...MODEL, ...JSON_FORMAT], { cwd });
  const waiting = resultIn(asked);
  expect(asked.stderr).toContain('It continues with `resume`, once a person has answered.');
  const wordless = await loopfold(['answer', '--last'], { cwd });
  expect(wordless).toMatchObject({ status: 2, stderr: expect.stringMatching(/Try: .* answer --help\n/) });
  await loopfold(['answer', '--last', 'blue'], { cwd });
  expect(await loopfold(['run', 'y', ...OTHER], { cwd })).toMatchObject({ status: 0 });

  const resumed = await loopfold(['resume', '--last', ...JSON_FORMAT], { cwd });

  expect(resultIn(resumed)).toMatchObject({ exit: 0, run: waiting.run, answer: 'That one.' });
  expect((await loopfold(['events', waiting.run ?? ''], { cwd })).stdout).toMatch(
    /run\.resumed +after [\d.]+ s idle\n/,
  );
});

test('resume without a run is refused where every run has ended, with the newest and what can be done', async () => {
  const cwd = await answering();
  const { run } = resultIn(await loopfold(['run', 'y', ...OTHER, ...JSON_FORMAT], { cwd }));

  const refused = await loopfold(['resume', '--last'], { cwd });

  expect(refused).toMatchObject({ status: 2, stdout: '' });
  expect(refused.stderr).toContain('expected a run that has not ended; this log has none');
  expect(refused.stderr).toContain(`the newest, ${run?.slice(-8)}, which ended: success`);
  expect(refused.stderr).toMatch(new RegExp(`Try: .* run --continue ${run?.slice(-8)} TEXT\\n`));
});

test('resume without a run starts no older one in place of one that a person has aborted', async () => {
  const cwd = await answering();
  const older = resultIn(await loopfold(['run', 'x', ...MODEL, ...JSON_FORMAT], { cwd }));
  await loopfold(['run', 'y', ...MODEL], { cwd });
  await loopfold(['abort', '--last'], { cwd });

  const refused = await loopfold(['resume'], { cwd });

  expect(refused.status).toBe(2);
  expect(refused.stderr).toMatch(new RegExp(`Try: .* resume ${older.run?.slice(-8)}\n`));
});
