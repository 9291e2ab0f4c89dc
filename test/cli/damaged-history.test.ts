import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect } from 'vitest';
import { git } from '../git/repository.ts';
import { testInTurn } from '../support/in-turn.ts';
import { MODEL, project, resultIn } from './program.ts';
import { loopfold } from './warm-process.ts';

const CHANGES = {
  answers: [{ calls: [{ tool: 'write', arguments: { path: 'made.txt', content: 'made' } }] }, { text: 'done' }],
};

/** A run that made a file, in a log whose events were then changed without the program. */
async function tampered(sql: string) {
  const cwd = await project(CHANGES, { '.gitignore': '.loopfold\n' });
  await git(cwd, 'add', '--all');
  await git(cwd, 'commit', '--quiet', '--message=start');
  const words = ['run', 'Make it.', ...MODEL, '--verify', 'true', '--output-format', 'json'];
  const { run } = resultIn(await loopfold(words, { cwd }));
  const database = new DatabaseSync(join(cwd, '.loopfold/log.db'));
  const { changes } = database.prepare(sql).run();
  database.close();
  expect(Number(changes)).toBeGreaterThan(0);
  const filesNow = async () => [await readdir(join(cwd, '.loopfold')), await git(cwd, 'status', '--porcelain')];
  return { cwd, run: run ?? '', filesNow };
}

testInTurn.each([
  ['an event in its middle is missing', 'DELETE FROM events WHERE version = 4'],
  ['a text in it was rewritten', `UPDATE events SET payload = replace(payload, 'Make it.', 'Fake it.')`],
])('every verb about a run whose history is not what was written says so: %s', async (_, sql) => {
  const { cwd, run, filesNow } = await tampered(sql);
  const before = await filesNow();
  for (const words of [
    ['show', run],
    ['events', run],
    ['events', '--json', run],
    ['diff', run],
    ['apply', run],
    ['undo', run],
    ['prove', run],
    ['rebuild', run],
    ['rebuild', run, '--at', '2'],
    ['redecide', run, '--strategy', 'fixed'],
    ['machine', '--run', run],
  ]) {
    const { status, stderr } = await loopfold(words, { cwd });
    expect([words[0], status, stderr]).toEqual([words[0], 7, expect.stringContaining('its hash chain does not hold')]);
    expect(await filesNow()).toEqual(before);
  }
  for (const words of [['check'], ['run', '--continue', run, 'More.', ...MODEL]]) {
    const { status } = await loopfold(words, { cwd });
    expect([words[0], status]).toEqual([words[0], 7]);
  }
});

testInTurn('events lists what is there of a damaged history, before it says that it is damaged', async () => {
  const { cwd, run } = await tampered('DELETE FROM events WHERE version = 4');
  const { stdout, status } = await loopfold(['events', '--json', run], { cwd });
  const versions = stdout
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { version: number }).version);
  expect(versions.slice(0, 4)).toEqual([1, 2, 3, 5]);
  expect(status).toBe(7);
});
