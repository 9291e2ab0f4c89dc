import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { MODEL, project, resultIn } from '../cli/program.ts';
import { loopfold } from '../cli/warm-process.ts';
import { CHECK, FILE, JSON_FORMAT, QUESTION, edit, run, shell, stateIn, wrote } from './ralph-run.ts';
import { isDead } from '../support/is-dead.ts';
import { testInTurn } from '../support/in-turn.ts';

async function typesIn(cwd: string): Promise<string[]> {
  const { stdout } = await loopfold(['events', '--last', '--json'], { cwd });
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).type);
}

test('R1 R3 R7 two promises without passing checks do not end the loop, the third does', async () => {
  const cwd = await project({ attempts: [wrote('1'), wrote('2'), wrote('3')] });

  const ended = await run(cwd, '--label', 'ralph-wiggum-5');

  expect(resultIn(ended)).toMatchObject({
    exit: 0,
    outcome: { ending: 'success', verified: { version: expect.any(Number) } },
  });
  expect((await typesIn(cwd)).filter((type) => type === 'iteration.started')).toHaveLength(3);
  const state = await stateIn(cwd);
  expect(state).toContain('active: false');
  expect(state).toContain('iteration: 3');
  expect(state).toContain('the checks passed');
  expect(state).toContain('Write 3 into sum.txt.');
});

test('R6 who watches is told where the loop is, in the words of its status', async () => {
  const cwd = await project({ attempts: [wrote('1'), wrote('2')] });

  const words = ['run', 'Write 3 into sum.txt.', ...MODEL, ...CHECK, '--label', 'ralph-wiggum-2'];
  const { status, stderr } = await loopfold(words, { cwd });

  expect(status).toBe(10);
  const places = ['Ralph Wiggum loop started', 'continuing to iteration 2/2', 'max iterations reached (2/2)'];
  expect(places.map((line) => stderr.split(line).length - 1)).toEqual([1, 1, 1]);
});

testInTurn('R4 an edit by a person while the run waits counts', async () => {
  const asks = { answers: [{ calls: [QUESTION] }, { text: 'I wrote nothing yet.' }] };
  const cwd = await project({ attempts: [asks, wrote('1'), wrote('2'), wrote('3')] });
  const waiting = await run(cwd, '--label', 'ralph-wiggum-9');
  expect(resultIn(waiting)).toMatchObject({ exit: 14 });

  await edit(cwd, 'max_iterations: 9', 'max_iterations: 2');
  await loopfold(['answer', '--last', '3'], { cwd });
  const ended = await loopfold(['resume', '--last', ...JSON_FORMAT], { cwd });

  expect(resultIn(ended)).toMatchObject({ exit: 10, outcome: { ending: 'cap_hit', limit: { used: 2, limit: 2 } } });
  expect(await stateIn(cwd)).toContain('max_iterations: 2');
});

testInTurn('R4 an edit by the agent waits for a person, who is asked about exactly that content', async () => {
  const greedy = wrote('1', [`sed -i 's/max_iterations: 2/max_iterations: 50/' ${FILE}`]);
  const cwd = await project({ attempts: [greedy, wrote('2'), wrote('3')] });
  const asked = await run(cwd, '--label', 'ralph-wiggum-2');
  expect(resultIn(asked)).toMatchObject({ exit: 14, questions: [{ callId: 'state-file' }] });

  const denied = await loopfold(['deny', '--last', 'state-file', '--reason', 'two are enough'], { cwd });
  expect(denied).toMatchObject({ status: 0 });
  const ended = await loopfold(['resume', '--last', ...JSON_FORMAT], { cwd });

  expect(resultIn(ended)).toMatchObject({ exit: 10, outcome: { limit: { limit: 2 } } });
  expect(await stateIn(cwd)).toContain('max_iterations: 2');
});

testInTurn('R4 an edit that a person approves counts', async () => {
  const greedy = wrote('1', [`sed -i 's/max_iterations: 2/max_iterations: 3/' ${FILE}`]);
  const cwd = await project({ attempts: [greedy, wrote('2'), wrote('3')] });
  expect(resultIn(await run(cwd, '--label', 'ralph-wiggum-2'))).toMatchObject({ exit: 14 });

  expect(await loopfold(['approve', '--last', 'state-file'], { cwd })).toMatchObject({ status: 0 });
  const ended = await loopfold(['resume', '--last', ...JSON_FORMAT], { cwd });

  expect(resultIn(ended)).toMatchObject({ exit: 0, outcome: { ending: 'success' } });
});

testInTurn('R4 a process that the agent has detached is ended before the run waits, and edits nothing', async () => {
  const edits = `touch alive; while ! [ -e go ]; do sleep 0.05; done; sed -i 's/: 2$/: 50/' ${FILE}`;
  const detaches = shell(`setsid sh -c "echo \\$\\$ > pid; ${edits}" & while ! [ -e alive ]; do sleep 0.01; done`);
  const asks = { answers: [{ calls: [detaches, QUESTION] }, { text: 'I wrote nothing yet.' }] };
  const cwd = await project({ attempts: [asks, wrote('1'), wrote('2')] });

  expect(resultIn(await run(cwd, '--label', 'ralph-wiggum-2'))).toMatchObject({ exit: 14 });

  const detached = Number(await readFile(join(cwd, 'pid'), 'utf8'));
  expect(detached).toBeGreaterThan(1);
  expect(await isDead(detached)).toBe(true);
  await writeFile(join(cwd, 'go'), '');
  await loopfold(['answer', '--last', '3'], { cwd });
  const ended = await loopfold(['resume', '--last', ...JSON_FORMAT], { cwd });
  expect(resultIn(ended)).toMatchObject({ exit: 10, outcome: { limit: { limit: 2 } } });
});

testInTurn('R4 an edit by a person between an approval and the resumption counts', async () => {
  const greedy = wrote('1', [`sed -i 's/max_iterations: 2/max_iterations: 3/' ${FILE}`]);
  const cwd = await project({ attempts: [greedy, wrote('3')] });
  expect(resultIn(await run(cwd, '--label', 'ralph-wiggum-2'))).toMatchObject({ exit: 14 });
  expect(await loopfold(['approve', '--last', 'state-file'], { cwd })).toMatchObject({ status: 0 });

  await edit(cwd, 'max_iterations: 3', 'max_iterations: 4');
  const ended = await loopfold(['resume', '--last', ...JSON_FORMAT], { cwd });

  expect(resultIn(ended)).toMatchObject({ exit: 0, outcome: { ending: 'success' } });
  expect(await stateIn(cwd)).toContain('max_iterations: 4');
});

testInTurn(
  'R4 a file that says that the loop is not active aborts the run, also by the hand of the agent',
  async () => {
    const stops = wrote('1', [`sed -i 's/active: true/active: false/' ${FILE}`]);
    const cwd = await project({ attempts: [stops, wrote('3')] });

    const ended = await run(cwd, '--label', 'ralph-wiggum');

    expect(resultIn(ended)).toMatchObject({ exit: 13, outcome: { ending: 'abort', cause: 'user' } });
  },
);

testInTurn('R4 a damaged file pauses the run with the line, is not written over, and is read again', async () => {
  const damages = wrote('1', [`sed -i 's/iteration: 1/iteration: many/' ${FILE}`]);
  const cwd = await project({ attempts: [damages, wrote('3')] });

  const paused = await run(cwd, '--label', 'ralph-wiggum');
  expect(resultIn(paused)).toMatchObject({ exit: 15, state: 'paused' });
  expect(paused.stderr).toContain(`${FILE}:3: iteration: expected a whole number`);
  expect(await stateIn(cwd)).toContain('iteration: many');

  expect(paused.stderr).toContain(`paused: mend ${FILE}:3, or remove it`);
  expect(paused.stderr).not.toContain('until a person has answered');
  const { stdout: listed } = await loopfold(['inbox'], { cwd });
  expect(listed).toMatch(/^! mend \S+:3, or remove it: iteration: expected a whole number.*\n {2}\S.* resume \w{8}$/m);
  expect((await loopfold(['show', '--last'], { cwd })).stdout).toMatch(/^ {2}needed +mend \S+:3, or remove it/m);

  const again = await loopfold(['resume', '--last', ...JSON_FORMAT], { cwd });
  expect(again).toMatchObject({ status: 15 });
  expect((await loopfold(['events', '--last'], { cwd })).stdout).not.toContain('the process that ran it is gone');
  await edit(cwd, 'iteration: many', 'iteration: 1');
  expect(resultIn(await loopfold(['resume', '--last', ...JSON_FORMAT], { cwd }))).toMatchObject({ exit: 0 });
  expect((await loopfold(['show', '--last'], { cwd })).stdout).not.toMatch(/^ {2}needed/m);
  expect(await loopfold(['inbox'], { cwd })).toMatchObject({ stdout: '', stderr: 'no run waits for a person\n' });
});

testInTurn(
  'R4 an active file of a run that has not ended refuses another one, and an inactive one is replaced',
  async () => {
    const asks = { answers: [{ calls: [QUESTION] }, { text: 'Nothing yet.' }] };
    const cwd = await project({ attempts: [asks, wrote('3')] });
    const first = resultIn(await run(cwd, '--label', 'ralph-wiggum'));

    const second = await run(cwd, '--label', 'ralph-wiggum');
    expect(second.status).toBe(6);
    expect(second.stderr).toContain(first.run);

    await loopfold(['abort', '--last'], { cwd });
    expect(await stateIn(cwd)).toContain('active: false');
    expect((await run(cwd, '--label', 'ralph-wiggum')).status).toBe(14);
  },
);

testInTurn.each([
  ['names no run', 'null', 'names no run'],
  ['names a run of another log', 'session-of-another-program', 'session-of-another-program, which is not in this log'],
])('R4 an active file that %s refuses a run, and is left as it is', async (_, session, says) => {
  const cwd = await project({ attempts: [wrote('3'), wrote('3')] });
  expect(resultIn(await run(cwd, '--label', 'ralph-wiggum'))).toMatchObject({ exit: 0 });
  await edit(cwd, 'active: false', 'active: true');
  await edit(cwd, /session_id: .*/, `session_id: ${session}`);
  const before = await stateIn(cwd);

  const refused = await run(cwd, '--label', 'ralph-wiggum');

  expect(refused.status).toBe(6);
  expect(refused.stderr).toContain(says);
  expect(refused.stderr).toContain('Set active: false in it, or remove it.');
  expect(await stateIn(cwd)).toBe(before);
  await edit(cwd, 'active: true', 'active: false');
  expect(resultIn(await run(cwd, '--label', 'ralph-wiggum', '--check-in', 'workspace'))).toMatchObject({ exit: 16 });
});

testInTurn(
  'R4 a file that another program has put in place of its own pauses the run, and is not written over',
  async () => {
    const closes = `s/session_id: .*/session_id: stranger/; s/active: true/active: false/`;
    const cwd = await project({ attempts: [wrote('1', [`sed -i '${closes}' ${FILE}`]), wrote('3')] });

    const paused = await run(cwd, '--label', 'ralph-wiggum');

    expect(resultIn(paused)).toMatchObject({ exit: 15 });
    expect(paused.stderr).toContain('it is not active, and its session_id is stranger, which is not this run');
    expect(await stateIn(cwd)).toContain('session_id: stranger');
  },
);

testInTurn('R4 the run says when git does not ignore the file, and no capture contains it', async () => {
  const cwd = await project({ attempts: [wrote('3')] });
  expect((await run(cwd, '--label', 'ralph-wiggum')).stderr).toContain(`git does not ignore ${FILE}`);
  const { stdout } = await loopfold(['events', '--last', '--json'], { cwd });
  expect(stdout).toContain('"path":"sum.txt"');
  expect(stdout).not.toContain('"path":".claude');

  const ignored = await project({ attempts: [wrote('3')] }, { '.gitignore': '.claude/*.local.md\n' });
  expect((await run(ignored, '--label', 'ralph-wiggum')).stderr).not.toContain('does not ignore');
});

testInTurn('R4 file tools refuse the state file', async () => {
  const write = { tool: 'write', arguments: { path: FILE, content: 'active: false' } };
  const cwd = await project({ attempts: [{ answers: [{ calls: [write] }, { text: 'No.' }] }, wrote('3')] });
  expect(resultIn(await run(cwd, '--label', 'ralph-wiggum'))).toMatchObject({ exit: 0 });
  const { stdout } = await loopfold(['show', '--last'], { cwd });
  expect(stdout).toContain('iteration 2');
});

testInTurn(
  'R3 a base that is green from the start does not end the loop: the next prompt says what is missing',
  async () => {
    const cwd = await project({ attempts: [{ answers: [{ text: 'All is well.' }] }, wrote('3')] }, { 'sum.txt': '3' });
    const ended = await run(cwd, '--label', 'ralph-wiggum', '--check-in', 'workspace');
    expect(resultIn(ended)).toMatchObject({ exit: 16, outcome: { verified: { version: expect.any(Number) } } });
    const { stdout } = await loopfold(['events', '--last', '--json'], { cwd });
    expect(stdout).toContain('The checks pass, but you have not promised');
  },
);

testInTurn('R5 the next prompt names a check that fails in silence, and the levels that were not run', async () => {
  const cwd = await project({ attempts: [wrote('1'), wrote('3')] });
  expect(resultIn(await run(cwd, '--verify', 'L1:true', '--label', 'ralph-wiggum'))).toMatchObject({ exit: 0 });
  const { stdout } = await loopfold(['events', '--last', '--json'], { cwd });
  expect(stdout).toContain('exit 1, no output\\nNot run until these pass: L1.');
});

testInTurn('R3 without checks a promise ends the loop, unverified; without a promise the checks alone do', async () => {
  const cwd = await project({ attempts: [wrote('1')] });
  const words = ['run', 'Do it.', ...MODEL, '--label', 'ralph-wiggum', ...JSON_FORMAT];
  expect(resultIn(await loopfold(words, { cwd }))).toMatchObject({ exit: 0, outcome: { verified: null } });

  const silent = await project({
    attempts: [{ answers: [{ calls: [shell('echo 3 > sum.txt')] }, { text: 'Done.' }] }],
  });
  const ended = await run(silent, '--label', 'ralph-wiggum', '--completion-promise', 'none');
  expect(resultIn(ended)).toMatchObject({ exit: 0, outcome: { verified: { version: expect.any(Number) } } });
});

testInTurn(
  'R4 a run whose cap was hit is extended and succeeds, though its state file says that it is over',
  async () => {
    const cwd = await project({ attempts: [wrote('1'), wrote('2'), wrote('3')] });
    expect(resultIn(await run(cwd, '--label', 'ralph-wiggum-1'))).toMatchObject({ exit: 10 });
    expect(await stateIn(cwd)).toContain('active: false');

    const ended = await loopfold(['extend', '--last', '--max-iterations', '3', ...JSON_FORMAT], { cwd });

    expect(resultIn(ended)).toMatchObject({ exit: 0, outcome: { ending: 'success' } });
    expect(await typesIn(cwd)).not.toContain('state_file.edited');
    expect(await stateIn(cwd)).toContain('iteration: 3');
  },
);

testInTurn('R4 an aborted run is extended and succeeds, though its state file says that it is over', async () => {
  const asks = { answers: [{ calls: [QUESTION] }, { text: 'Nothing yet.' }] };
  const cwd = await project({ attempts: [asks, wrote('3'), wrote('3')] });
  expect(resultIn(await run(cwd, '--label', 'ralph-wiggum-5'))).toMatchObject({ exit: 14 });
  await loopfold(['abort', '--last'], { cwd });
  expect(await stateIn(cwd)).toContain('active: false');

  const ended = await loopfold(['extend', '--last', ...JSON_FORMAT], { cwd });

  expect(resultIn(ended)).toMatchObject({ exit: 0, outcome: { ending: 'success' } });
});

testInTurn('R4 a run that was extended is still stopped by a file that says that it is not active', async () => {
  const stops = wrote('2', [`sed -i 's/active: true/active: false/' ${FILE}`]);
  const cwd = await project({ attempts: [wrote('1'), stops, wrote('3')] });
  expect(resultIn(await run(cwd, '--label', 'ralph-wiggum-1'))).toMatchObject({ exit: 10 });

  const stopped = await loopfold(['extend', '--last', '--max-iterations', '5', ...JSON_FORMAT], { cwd });
  expect(resultIn(stopped)).toMatchObject({ exit: 13, outcome: { ending: 'abort', cause: 'user' } });

  const ended = await loopfold(['extend', '--last', ...JSON_FORMAT], { cwd });
  expect(resultIn(ended)).toMatchObject({ exit: 0, outcome: { ending: 'success' } });
});

testInTurn('R4 the closed file of the run before, put back while the extended one works, stops it', async () => {
  const restores = wrote('2', [`cp before.md ${FILE}`]);
  const cwd = await project({ attempts: [wrote('1'), restores, wrote('3')] });
  expect(resultIn(await run(cwd, '--label', 'ralph-wiggum-1'))).toMatchObject({ exit: 10 });
  await writeFile(join(cwd, 'before.md'), await stateIn(cwd));

  const ended = await loopfold(['extend', '--last', '--max-iterations', '5', ...JSON_FORMAT], { cwd });

  expect(resultIn(ended)).toMatchObject({ exit: 13, outcome: { ending: 'abort', cause: 'user' } });
});
