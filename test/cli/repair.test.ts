import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { EXIT } from '../../src/cli/terminal/exit-status.ts';
import { DatabaseSync } from 'node:sqlite';
import { MODEL, project } from './program.ts';
import { loopfold } from './warm-process.ts';

test('an older log that was put back: every verb says so, and what is left is saved into a new file', async () => {
  const cwd = await project({ answers: [{ text: 'first' }] });
  const log = join(cwd, '.loopfold/log.db');
  const ran = ['run', 'Do it.', '--model', 'script:model.json'];
  expect(await loopfold(ran, { cwd })).toMatchObject({ status: EXIT.success });
  const older = readFileSync(log);
  expect(await loopfold(ran, { cwd })).toMatchObject({ status: EXIT.success });
  writeFileSync(log, older);

  const verbs = [['runs'], ['check'], ['show', '--last'], ['events', '--last'], ['resume', '--last'], ['inbox'], ran];
  for (const verb of [...verbs, ['answer', '--last', 'yes'], ['abort', '--last'], ['rebuild', '--last']]) {
    const { status, stderr } = await loopfold(verb, { cwd });
    expect(stderr).toMatch(/run .* is not in the log any more.*check --repair FILE/);
    expect(status).toBe(EXIT.log);
  }
  expect(readFileSync(log)).toEqual(older);

  const repaired = await loopfold(['check', '--repair', 'saved.db'], { cwd });
  expect(repaired.stdout).toMatch(
    /^lost {2}run .*: 0 of \d+ versions are saved\n2 runs, 1 whole, saved in .*saved.db\n$/,
  );
  expect(repaired.status).toBe(EXIT.log);
  expect(await loopfold(['check', '--repair', 'saved.db'], { cwd })).toMatchObject({ status: EXIT.environment });

  for (const [from, to] of [
    ['.heads', '.old.heads'],
    ['', '.old'],
  ] as const)
    await rename(log + from, log + to);
  for (const suffix of ['', '.heads']) await rename(join(cwd, `saved.db${suffix}`), log + suffix);
  expect(existsSync(`${log}-wal`)).toBe(false);
  expect(await loopfold(['check'], { cwd })).toMatchObject({ status: EXIT.success });
  const { stdout } = await loopfold(['runs', '--json'], { cwd });
  expect(JSON.parse(stdout)).toHaveLength(1);
});

test('a repair says how many commands that wait it has saved, and which are lost', async () => {
  const question = { calls: [{ tool: 'ask_user', arguments: { question: 'Which?', choices: [] } }] };
  const cwd = await project({ answers: [question] }, {}, false);
  await loopfold(['run', 'Ask.', ...MODEL], { cwd });
  const db = new DatabaseSync(join(cwd, '.loopfold/log.db'));
  const post = (payload: string) =>
    db.exec(
      `INSERT INTO inbox (root, run, type, payload, at) SELECT run, run, 'run.steered', '${payload}', created_at FROM runs`,
    );
  post('{"text":"More."}');
  const sound = await loopfold(['check', '--repair', 'sound.db'], { cwd });
  expect(sound).toMatchObject({
    status: EXIT.success,
    stdout: expect.stringContaining('1 whole, with 1 waiting command, '),
  });
  post('{');
  db.close();
  const { status, stdout } = await loopfold(['check', '--repair', 'saved.db'], { cwd });
  expect(status).toBe(EXIT.log);
  expect(stdout).toMatch(
    /^lost {2}waiting command, 2: the column payload holds no JSON\n1 run, 1 whole, with 1 waiting/,
  );
});
