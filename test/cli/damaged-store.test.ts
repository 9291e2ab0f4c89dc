import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { thisProcess } from '../../src/log/holder.ts';
import { git } from '../git/repository.ts';
import { testInTurn } from '../support/in-turn.ts';
import { MODEL, project, resultIn } from './program.ts';
import { loopfold } from './warm-process.ts';

const CHANGES = {
  answers: [{ calls: [{ tool: 'write', arguments: { path: 'made.txt', content: 'made' } }] }, { text: 'done' }],
};

/** A project with a run, and with a folder that a killed process has left, which `gc` removes. */
async function used() {
  const cwd = await project(CHANGES, { '.gitignore': '.loopfold\n' });
  await git(cwd, 'add', '--all');
  await git(cwd, 'commit', '--quiet', '--message=start');
  const words = ['run', 'Make it.', ...MODEL, '--verify', 'true', '--output-format', 'json'];
  const run = resultIn(await loopfold(words, { cwd })).run ?? '';
  const left = join(cwd, '.loopfold/proof/node_modules/loopfold-proof-left');
  await mkdir(left, { recursive: true });
  await writeFile(`${left}.json`, JSON.stringify({ ...thisProcess(), pid: 2 ** 22, processStart: 'then' }));
  const log = join(cwd, '.loopfold/log.db');
  return { cwd, run, left, log, note: join(`${log}.heads`, run) };
}

function edit(log: string, sql: string): void {
  const database = new DatabaseSync(log);
  database.exec(sql);
  database.close();
}

test('check without a run names rows beside the runs that are not as they were written', async () => {
  const { cwd, log, run } = await used();
  expect((await loopfold(['check'], { cwd })).status).toBe(0);
  edit(
    log,
    `UPDATE leases SET epoch = 0; INSERT INTO inbox (root, run, type, payload, at) VALUES ('x', 'x', 'y', '1', 1)`,
  );
  const { status, stdout } = await loopfold(['check'], { cwd });
  expect(status).toBe(7);
  expect(stdout).toContain(
    `damaged  leases, tree ${run}: its epoch is 0, and events of epoch 1 were recorded. Restore`,
  );
  expect(stdout).toContain('damaged  inbox, command 1: it is for run x, which is not in the log. Restore');
  expect(stdout).toContain('2 runs: 2 same, 2 damaged beside the runs');
  const json = JSON.parse((await loopfold(['check', '--json'], { cwd })).stdout) as object;
  expect(json).toMatchObject({ summary: { same: 2, storeFaults: 2 }, store: [{ place: `leases, tree ${run}` }, {}] });
  expect((await loopfold(['check', run], { cwd })).status).toBe(0);
});

test('check names a command that waits and that no loop takes, by its type or its payload', async () => {
  const question = { calls: [{ tool: 'ask_user', arguments: { question: 'Which?', choices: [] } }] };
  const cwd = await project({ answers: [question] }, {}, false);
  await loopfold(['run', 'Ask.', ...MODEL], { cwd });
  const log = join(cwd, '.loopfold/log.db');
  const post = (type: string, payload: string) =>
    edit(
      log,
      `INSERT INTO inbox (root, run, type, payload, at) SELECT run, run, '${type}', '${payload}', created_at FROM runs`,
    );
  post('run.steered', '{"text":"More."}');
  post('abort.requested', '{"cause":"user","reason":null}');
  expect((await loopfold(['check'], { cwd })).status).toBe(0);
  post('run.steered', '5');
  post('tool.completed', '{}');
  const { status, stdout } = await loopfold(['check'], { cwd });
  expect(status).toBe(7);
  expect(stdout).toMatch(/^damaged {2}inbox, command 3: not an event: .*Invalid input.*: send the command again\.$/m);
  expect(stdout).toMatch(/^damaged {2}inbox, command 4: tool\.completed is not a command; known: abort\.requested, /m);
  expect(stdout).toContain('2 damaged beside the runs');
});

testInTurn('R11 check names a report whose words are not those of its run, of a named run too', async () => {
  const { cwd, log } = await used();
  const webhook = ['--webhook', 'http://127.0.0.1:9/hook'];
  const words = ['run', 'Make it.', ...MODEL, '--verify', 'true', '--output-format', 'json', ...webhook];
  const run = resultIn(await loopfold(words, { cwd })).run ?? '';
  expect((await loopfold(['check'], { cwd })).status).toBe(0);
  edit(log, `UPDATE outbox SET body = json_set(body, '$.reason', 'mine')`);
  for (const asked of [[], [run]]) {
    const { status, stdout } = await loopfold(['check', ...asked], { cwd });
    expect(status).toBe(7);
    expect(stdout).toMatch(
      /^damaged  outbox, report \S+: its reason is "mine", and ".+" by the events of its run\. Restore/m,
    );
  }
});

testInTurn(
  'every verb that opens a log says once that a note of a head cannot be read, and check ends with 7',
  async () => {
    const { cwd, run, note } = await used();
    await truncate(note, 30);
    for (const words of [
      ['runs'],
      ['show', run],
      ['events', run],
      ['rebuild', run],
      ['inbox'],
      ['check'],
      ['deliver'],
    ]) {
      const { status, stderr } = await loopfold(words, { cwd });
      expect([words[0], status]).toEqual([words[0], words[0] === 'check' ? 7 : 0]);
      expect(stderr.split(`warning: ${note}: the note of the head of run ${run} cannot be read`)).toHaveLength(2);
    }
    const repaired = await loopfold(['check', '--repair', 'saved.db'], { cwd });
    expect(repaired.stderr).toContain(`warning: ${note}: `);
    const more = await loopfold(['run', 'More.', ...MODEL], { cwd });
    expect(more.stderr).toContain(`warning: ${note}: `);
  },
);

testInTurn.each<[what: string, status: number, ruin: (about: { log: string; note: string; run: string }) => unknown]>([
  ['an event is missing', 7, ({ log }) => edit(log, 'DELETE FROM events WHERE version = 4')],
  ['a lease is no process', 7, ({ log }) => edit(log, `UPDATE leases SET holder = '{}'`)],
  ['a note cannot be read', 7, ({ note }) => truncate(note, 3)],
  ['a run is gone', 7, ({ log }) => edit(log, 'DELETE FROM runs')],
  ['a run is gone, and its note', 7, ({ log, note }) => (edit(log, 'DELETE FROM runs'), rm(note))],
  ['a newer program wrote it', 5, ({ log }) => edit(log, 'PRAGMA user_version = 99')],
  ['it is a folder', 5, async ({ log }) => (await rm(log), await mkdir(log))],
  ['it is a link to no file', 7, async ({ log }) => (await rename(log, `${log}.away`), await symlink('nowhere', log))],
  [
    'it is empty, and its notes are gone',
    5,
    async ({ log }) => {
      await truncate(log);
      await rm(`${log}.heads`, { recursive: true });
    },
  ],
])('gc removes nothing where the log is not to be trusted: %s', async (_, expected, ruin) => {
  const { cwd, run, log, note, left } = await used();
  await ruin({ log, note, run });
  const before = [await git(cwd, 'for-each-ref'), await readdir(join(cwd, '.loopfold'))];
  const { status, stdout } = await loopfold(['gc'], { cwd });
  expect({ status, stdout }).toEqual({ status: expected, stdout: '' });
  expect([await git(cwd, 'for-each-ref'), await readdir(join(cwd, '.loopfold'))]).toEqual(before);
  expect(existsSync(left)).toBe(true);
});

testInTurn('gc removes what is left over where the log is sound, and where there is none', async () => {
  for (const isKept of [true, false]) {
    const { cwd, log, left } = await used();
    if (!isKept) for (const path of [log, `${log}.heads`]) await rm(path, { recursive: true });
    const { status, stdout } = await loopfold(['gc'], { cwd });
    expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringContaining(`removed ${left}: `) });
    expect(existsSync(left)).toBe(false);
  }
});
