import { expect, test } from 'vitest';
import { EXIT } from '../../src/cli/terminal/exit-status.ts';
import { git } from '../git/repository.ts';
import { folder } from './program.ts';
import { canMount, OWN_MOUNTS, quoted, shellOutput } from './shell-output.ts';

/**
 * A model that writes a file and is done. Before its first request is answered it does something to the environment,
 * once: the note of that lies in a folder where there is always room.
 */
const model = (harm: string) => `
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, openSync, writeFileSync } from 'node:fs';
const note = process.env.TEST_NOTE;
export default async ({ messages }) => {
  const hasWritten = messages.some(({ role }) => role === 'assistant');
  if (!existsSync(note)) {
    writeFileSync(note, 'done');
    ${harm}
  }
  if (hasWritten) return { text: 'done' };
  return { calls: [{ tool: 'write', arguments: { path: 'made.txt', content: 'made\\n'.repeat(2000) } }] };
};
`;

const FILL = (where: string) =>
  `try { execFileSync('sh', ['-c', 'cat /dev/zero > ${where}/filler'], { stdio: 'ignore' }); } catch {}`;
const words = [
  'run',
  '-m',
  'script:model.mjs',
  '--verify',
  'test -f made.txt',
  '--accept',
  'verified',
  '--max-iterations',
  '1',
];

const shell = (cwd: string, note: string, within: readonly string[], commands: readonly string[]): Promise<string> =>
  shellOutput(cwd, within, commands, { TEST_NOTE: `${note}/note`, NODE_NO_WARNINGS: '1' });

async function projectWith(harm: string) {
  const cwd = await folder({ 'model.mjs': model(harm), '.gitignore': 'filler\nmodel.mjs\n' });
  await git(cwd, 'init', '--quiet');
  return { cwd, note: await folder() };
}

/** How the runs of a shell have ended: the first one by the environment, the one that resumes it with success. */
const statuses = (said: string) => [...said.matchAll(/^status (\d+)$/gm)].map(([, status]) => Number(status));

test('a log that another process keeps locked ends no run', { timeout: 90_000 }, async () => {
  const lock = `
    const other = spawn(process.execPath, ['-e', \`
      const { DatabaseSync } = require('node:sqlite');
      const db = new DatabaseSync('.loopfold/log.db');
      db.exec('PRAGMA busy_timeout = 5000; BEGIN IMMEDIATE');
      console.log('locked');
      setTimeout(() => db.exec('ROLLBACK'), 20000);
    \`], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(other.stdout, 'data');`;
  const { cwd, note } = await projectWith(lock);
  const said = await shell(cwd, note, ['env'], [quoted(...words, 'Do it.'), 'sleep 12', quoted('resume')]);
  expect(said).toContain('another process keeps it locked');
  expect(said).not.toContain('this is a bug');
  expect(statuses(said)).toEqual([EXIT.environment, EXIT.success]);
  expect(said).not.toContain('iteration 2');
});

test('too few files end no run', async () => {
  const { cwd, note } = await projectWith(`try { for (;;) openSync('/dev/null'); } catch {}`);
  const said = await shell(cwd, note, ['env'], ['ulimit -n 256', quoted(...words, 'Do it.'), quoted('resume')]);
  expect(said).toContain('EMFILE');
  expect(said).not.toContain('this is a bug');
  expect(statuses(said)).toEqual([EXIT.environment, EXIT.success]);
});

test.skipIf(!canMount)('a full disk under workspace and log ends no run', async () => {
  const { cwd, note } = await projectWith(FILL('.'));
  const said = await shell(cwd, note, OWN_MOUNTS, [
    'mkdir disk && mount -t tmpfs -o size=12m none disk && cp -r .git .gitignore model.mjs disk && cd disk || exit',
    quoted(...words, 'Do it.'),
    'rm filler',
    quoted('resume'),
  ]);
  expect(said).toMatch(/No space left|ENOSPC|disk is full/);
  expect(said).not.toContain('this is a bug');
  expect(statuses(said)).toEqual([EXIT.environment, EXIT.success]);
});

test.skipIf(!canMount)('a full temporary disk ends no run', async () => {
  const { cwd, note } = await projectWith(FILL('$TMPDIR'));
  const said = await shell(cwd, note, OWN_MOUNTS, [
    `export TMPDIR="${note}/tmp"; mkdir "$TMPDIR" && mount -t tmpfs -o size=12m none "$TMPDIR" || exit`,
    quoted(...words, 'Do it.'),
    'rm "$TMPDIR/filler"',
    quoted('resume'),
  ]);
  expect(said).toMatch(/No space left|ENOSPC|Out of diskspace/);
  expect(said).not.toContain('this is a bug');
  expect(statuses(said)).toEqual([EXIT.environment, EXIT.success]);
});
