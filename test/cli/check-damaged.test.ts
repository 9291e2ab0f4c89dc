import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { EXIT } from '../../src/cli/terminal/exit-status.ts';
import { folder, MODEL, project } from './program.ts';
import { loopfold } from './warm-process.ts';

/** A project with two runs, and its log. `answer`: what the model says in the first one. */
async function twoRuns(answer = 'first') {
  const cwd = await project({ answers: [{ text: answer }] });
  const log = join(cwd, '.loopfold/log.db');
  await loopfold(['run', 'One.', ...MODEL], { cwd });
  await writeFile(join(cwd, 'model.json'), JSON.stringify({ answers: [{ text: 'second' }] }));
  await loopfold(['run', 'Two.', ...MODEL], { cwd });
  const db = new DatabaseSync(log);
  const runs = db.prepare('SELECT run FROM runs ORDER BY key').all() as { run: string }[];
  db.close();
  return { cwd, log, runs: runs.map(({ run }) => run) };
}

function edit(log: string, sql: string): void {
  const db = new DatabaseSync(log);
  db.exec(sql);
  db.close();
}

test.each([
  ['UPDATE runs SET created_at = 9223372036854775807 WHERE key = 1', 'created_at', 1],
  ['UPDATE runs SET created_at = -8640000000000001 WHERE key = 1', 'created_at', 1],
  ['UPDATE events SET version = 9223372036854775807 WHERE run = 1 AND version = 3', 'version', 3],
])('check names the run with a row that cannot be read, and checks the others: %s', async (sql, column, at) => {
  const { cwd, log, runs } = await twoRuns();
  edit(log, sql);
  const before = readFileSync(log);
  const TMPDIR = await folder();
  const { status, stdout } = await loopfold(['check'], { cwd, env: { TMPDIR } });
  expect(status).toBe(EXIT.log);
  expect(stdout).toMatch(new RegExp(`^damaged  ${runs[0]?.slice(-8)}  .*version ${at}: `, 'm'));
  expect(stdout).toMatch(new RegExp(`^same     ${runs[1]?.slice(-8)} `, 'm'));
  expect(stdout).toMatch(
    new RegExp(`^damaged  the log: .*the column ${column} holds .*in a row of run ${runs[0]}`, 'm'),
  );
  expect(stdout).toContain('2 runs: 1 same, 1 damaged, 1 damaged beside the runs');
  const { runs: checked } = JSON.parse((await loopfold(['check', '--json'], { cwd })).stdout) as { runs: object[] };
  expect(checked).toMatchObject(runs.map((run) => ({ file: log, run })));
  expect(readFileSync(log)).toEqual(before);
  expect(readdirSync(TMPDIR).filter((name) => name.includes('salvage'))).toEqual([]);
});

test.each([
  ['its blob is missing', 'DELETE FROM blobs', 'its blob [0-9a-f]{64} is missing'],
  ['its payload is cut', `UPDATE events SET payload = substr(payload, 1, 9) WHERE run = 1 AND version = 4`, 'no JSON'],
])('the list of runs names a damaged run, and has the others: %s', async (_, sql, because) => {
  const { cwd, log, runs } = await twoRuns('x'.repeat(70_000));
  edit(log, sql);
  const { status, stdout, stderr } = await loopfold(['runs'], { cwd });
  expect(status).toBe(EXIT.log);
  expect(stdout).toMatch(new RegExp(`^${runs[1]?.slice(-8)}  success  .*\\n${runs[0]?.slice(-8)}  damaged  .* read: `));
  expect(stderr).toMatch(new RegExp(`^damaged  run ${runs[0]}: .*/4 cannot be read: .*${because}\\. Restore`));
  const listed = JSON.parse((await loopfold(['runs', '--json'], { cwd })).stdout) as object[];
  const standing = { kind: 'damaged', reason: expect.stringContaining(`${runs[0]}/4`) };
  expect(listed).toMatchObject([
    { run: runs[1], verdict: 'success' },
    { run: runs[0], standing, verdict: null },
  ]);
});

test('a run that is listed without any event is damaged, for each verb that names it', async () => {
  const { cwd, log, runs } = await twoRuns();
  edit(log, `INSERT INTO runs (run, root, prefix_version, created_at) VALUES ('empty', 'empty', 0, 5)`);
  for (const verb of ['show', 'events', 'rebuild', 'diff', 'resume', 'abort', 'check', 'runs']) {
    const { status, stdout, stderr } = await loopfold(verb === 'runs' ? [verb] : [verb, 'empty'], { cwd });
    expect([verb, status, stdout + stderr]).toEqual([verb, EXIT.log, expect.stringContaining('it has no events')]);
  }
  const listed = JSON.parse((await loopfold(['runs', '--json'], { cwd })).stdout) as { run: string }[];
  expect(listed.map(({ run }) => run)).toEqual(['empty', ...runs.toReversed()]);
});

test('check names a run in the wrong tree in its report, and a command to it leaves no file', async () => {
  const { cwd, log, runs } = await twoRuns();
  const [first = '', second = ''] = runs;
  edit(log, `UPDATE runs SET root = '${second}' WHERE run = '${first}'`);
  const checked = await loopfold(['check', first], { cwd });
  const wrong = `it is listed in the tree of ${second}, not in that of ${first}`;
  expect(checked).toMatchObject({ status: EXIT.log, stderr: '' });
  expect(checked.stdout).toContain(`version 1: ${wrong}\n\n1 run: 0 same, 1 damaged\n`);
  const before = readdirSync(join(cwd, '.loopfold'));
  for (const words of [
    ['abort', first],
    ['steer', first, 'More.'],
    ['resume', first],
    ['extend', first, '--max-steps', '50'],
  ])
    expect((await loopfold(words, { cwd })).status).toBe(EXIT.log);
  expect(readdirSync(join(cwd, '.loopfold'))).toEqual(before);
});

test('the list of runs has them where a report of theirs cannot be read, and says so', async () => {
  const { cwd, log, runs } = await twoRuns();
  edit(
    log,
    `INSERT INTO outbox (run, version, url, body, created_at, attempts, next_try_at)
     VALUES ('${runs[0]}', 4, 'http://127.0.0.1:9/', '{}', 9223372036854775807, 0, 0)`,
  );
  const { status, stdout, stderr } = await loopfold(['runs', '--json'], { cwd });
  expect(status).toBe(EXIT.log);
  expect(JSON.parse(stdout)).toMatchObject(runs.toReversed().map((run) => ({ run, verdict: 'success', owed: null })));
  expect(stderr).toMatch(/^damaged {2}reports to webhooks: the log is damaged \(the column created_at holds .*Restore/);
});

test('where nothing can be saved, neither check nor a repair sends its user to a repair', async () => {
  const { cwd, log, runs } = await twoRuns();
  edit(log, 'DELETE FROM events');
  const repaired = await loopfold(['check', '--repair', 'saved.db'], { cwd });
  expect(repaired.status).toBe(EXIT.log);
  for (const run of runs) expect(repaired.stdout).toContain(`lost  run ${run}: 0 of `);
  expect(repaired.stderr).toContain('Nothing of any run could be saved, and ');
  await truncate(log, 4_096);
  const cut = await loopfold(['check', '--repair', 'saved.db'], { cwd });
  for (const said of [repaired, cut, await loopfold(['check'], { cwd })]) {
    expect(said.status).toBe(EXIT.log);
    expect(said.stderr).toContain('`.recover` of the sqlite3 shell');
    expect(said.stderr).not.toContain('--repair');
  }
  expect(existsSync(join(cwd, 'saved.db'))).toBe(false);
});
