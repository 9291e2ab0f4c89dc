import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { project } from './program.ts';
import { canMount, OWN_MOUNTS, quoted, shellOutput } from './shell-output.ts';
import { loopfold } from './warm-process.ts';

/** The output of commands of a shell where the project's own folder cannot be written. */
const readOnly = (cwd: string, commands: readonly string[]): Promise<string> =>
  shellOutput(cwd, OWN_MOUNTS, [
    'mount --bind .loopfold .loopfold && mount -o remount,ro,bind .loopfold || exit',
    ...commands,
  ]);

test.skipIf(!canMount)('a log on read-only media can be read, at rest and as a killed process left it', async () => {
  const cwd = await project({ answers: [{ text: 'done' }] });
  await loopfold(['run', 'Do it.', '--model', 'script:model.json'], { cwd });
  const verbs = [quoted('check'), quoted('show', '--last'), quoted('runs'), 'touch .loopfold/x && echo written'];
  const atRest = await readOnly(cwd, verbs);
  expect(atRest.match(/status 0/g)).toHaveLength(3);
  expect(atRest).not.toContain('written');

  // What a killed process leaves: its write-ahead log, without the index that SQLite would have to make.
  const script = `const { DatabaseSync } = require('node:sqlite'); const { copyFileSync, rmSync } = require('node:fs');
    const db = new DatabaseSync('.loopfold/log.db'); db.exec("INSERT INTO types (type) VALUES ('x')");
    for (const end of ['', '-wal']) copyFileSync('.loopfold/log.db' + end, 'copy.db' + end); db.close();
    for (const end of ['', '-wal']) copyFileSync('copy.db' + end, '.loopfold/log.db' + end);`;
  expect(spawnSync(process.execPath, ['-e', script], { cwd }).status).toBe(0);
  const killed = await readOnly(cwd, ['test -s .loopfold/log.db-wal && echo left', ...verbs]);
  expect(killed).toContain('left');
  expect(killed.match(/status 0/g)).toHaveLength(3);
});
