import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startPostgres, type TestServer, withoutPostgres } from '../support/postgres.ts';
import { MODEL, project, resultIn } from './program.ts';
import { loopfold } from './warm-process.ts';

const JSON_FORMAT = ['--output-format', 'json'] as const;
const ASKS = {
  answers: [{ calls: [{ tool: 'ask_user', arguments: { question: 'Which one?' } }] }, { text: 'That one.' }],
};
const PASSWORD = 'hunter2-hunter2';

test('H2 an address with a password is refused by every verb, and shown by none', async () => {
  const cwd = await project({ answers: [{ text: 'done' }] }, {}, false);
  const log = `postgres://ada:${PASSWORD}@127.0.0.1:1/runs`;
  for (const words of [['runs'], ['run', 'x', ...MODEL], ['check'], ['gc'], ['config']]) {
    const { status, stdout, stderr } = await loopfold([...words, '--log', log], { cwd });
    expect(stdout + stderr).not.toContain(PASSWORD);
    if (words[0] !== 'config') expect({ words, status }).toEqual({ words, status: 2 });
  }
});

describe.skipIf(withoutPostgres)(`H2 every verb on postgres${withoutPostgres ? `, ${withoutPostgres}` : ''}`, () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.stop());

  test('H2 a run is started, waits for a person, is answered, resumed, checked, listed and collected', async () => {
    const cwd = await project(ASKS);
    const at = ['--log', 'env:RUNS_DB'] as const;
    const how = { cwd, env: { RUNS_DB: server.url('runs') } };
    const started = resultIn(await loopfold(['run', 'x', ...MODEL, ...JSON_FORMAT, ...at], how));
    const run = started.run ?? '';
    expect(await loopfold(['answer', '--last', 'blue', ...at], how)).toMatchObject({ status: 0 });
    const resumed = await loopfold(['resume', '--last', ...JSON_FORMAT, ...at], how);
    expect(resultIn(resumed)).toMatchObject({ exit: 0, run, answer: 'That one.' });
    const outputs = [resumed];
    for (const words of [['check'], ['gc'], ['runs'], ['show', run], ['events', run], ['inbox'], ['rebuild', run]]) {
      const ended = await loopfold([...words, ...at], how);
      expect({ words, status: ended.status, stderr: ended.stderr }).toMatchObject({ words, status: 0 });
      outputs.push(ended);
    }
    expect(outputs.map(({ stdout }) => stdout).join('')).toContain(run.slice(-8));
    const refused = await loopfold(['check', '--repair', 'saved.db', ...at], how);
    expect(refused).toMatchObject({ status: 2, stderr: expect.stringMatching(/a log in a file/) });
  });

  test('H2 copy moves the log of a project to a server, then what is new, and nothing over other runs', async () => {
    const cwd = await project(ASKS);
    const how = { cwd, env: { RUNS_DB: server.url('copied') } };
    const at = ['--log', 'env:RUNS_DB'] as const;
    const { run } = resultIn(await loopfold(['run', 'x', ...MODEL, ...JSON_FORMAT], how));
    const first = await loopfold(['copy', '--to', 'env:RUNS_DB'], how);
    expect(first).toMatchObject({ status: 0, stdout: expect.stringMatching(/^1 run copied to .*, 0 there already/) });
    await loopfold(['answer', '--last', 'blue'], how);
    await loopfold(['resume', '--last'], how);
    await loopfold(['run', '--continue', 'y', '-m', 'script:model.json'], how);
    const again = await loopfold(['copy', '--to', 'env:RUNS_DB', '--json'], how);
    expect(JSON.parse(again.stdout)).toMatchObject({ runs: [{ run, kind: 'copied' }, { kind: 'copied' }] });
    const printed = async (words: readonly string[]) => (await loopfold(words, how)).stdout;
    for (const words of [['check'], ['events', run ?? '']])
      expect(await printed([...words, ...at])).toBe(await printed(words));
    const back = await loopfold(['copy', '--to', 'sqlite:back.db', ...at], how);
    expect(back.stdout).toMatch(/^2 runs copied/);
    expect(await printed(['check', '--log', 'sqlite:back.db'])).toBe(await printed(['check']));
    const connection = await server.connect();
    await connection.query(`UPDATE copied.runs SET hash = decode(repeat('ab', 32), 'hex')`);
    await connection.end();
    const refused = await loopfold(['copy', '--to', 'env:RUNS_DB'], how);
    expect(refused).toMatchObject({ status: 7, stdout: expect.stringMatching(/there it has another history/) });
  });
});
