import { chmod, cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { beforeAll, expect, test } from 'vitest';
import { folderOfRun } from '../support/bundled.ts';
import { git } from '../git/repository.ts';
import { environment, MAIN, MODEL, project, resultIn } from './program.ts';
import { loopfold } from './warm-process.ts';

// Every folder and file that the program makes of its own is in turn something else: a file, a folder, a
// dangling link, or closed to its user. No verb that needs it may call that a bug, or go on without a word.

const LIMIT_MS = 60_000;
const CHANGE = { answers: [{ calls: [{ tool: 'write', arguments: { path: 'a', content: 'b' } }] }, { text: 'done' }] };

let used = { folder: '', run: '' };

/** A project with a run in a worktree of its own, which each case gets a copy of. */
beforeAll(async () => {
  const cwd = await project(CHANGE, { '.gitignore': '.loopfold\nmodel.json\n' });
  await git(cwd, 'add', '--all');
  await git(cwd, 'commit', '--quiet', '--message=start');
  const words = ['run', 'x', ...MODEL, '--verify', 'L1:true', '--isolate', 'worktree', '--output-format', 'json'];
  used = { folder: cwd, run: resultIn(await loopfold(words, { cwd })).run ?? '' };
});

type Wrong = 'a file' | 'a folder' | 'a dangling link' | 'closed';

async function make(wrong: Wrong, path: string): Promise<void> {
  if (wrong !== 'closed') await rm(path, { recursive: true, force: true });
  await mkdir(dirname(path), { recursive: true });
  if (wrong === 'a file') await writeFile(path, 'in the way');
  else if (wrong === 'a folder') await mkdir(join(path, 'in the way'), { recursive: true });
  else if (wrong === 'a dangling link') await symlink('leads/nowhere', path);
  else await chmod(path, 0o000);
}

/** The superuser may use what is closed, until it gives up that power. */
const WITHOUT_POWER = ['--bounding-set=-dac_override,-dac_read_search,-fowner', '--inh-caps=-all'];

async function unprivileged(words: readonly string[], how: { cwd: string; env: Readonly<Record<string, string>> }) {
  const command = [process.execPath, MAIN, ...words];
  const asked = process.getuid?.() === 0 ? ['setpriv', ...WITHOUT_POWER, ...command] : command;
  const { exitCode, stdout, stderr } = await execa(asked[0] ?? '', asked.slice(1), {
    cwd: how.cwd,
    env: environment(how.env),
    extendEnv: false,
    reject: false,
    stdin: 'ignore',
  });
  return { status: exitCode ?? null, stdout, stderr };
}

/** In the project, or `state/`, `tmp` and `configuration/` beside it. */
async function spoilt(place: string, wrong: Wrong, words: readonly string[]) {
  const top = await mkdtemp(folderOfRun('spoilt-'));
  const cwd = join(top, 'project');
  await cp(used.folder, cwd, { recursive: true });
  for (const beside of ['state/loopfold', 'tmp', 'configuration']) await mkdir(join(top, beside), { recursive: true });
  const env = {
    XDG_STATE_HOME: join(top, 'state'),
    XDG_CONFIG_HOME: join(top, 'configuration'),
    TMPDIR: join(top, 'tmp'),
  };
  const path = join(place.startsWith('.loopfold') ? cwd : top, place.replace('RUN', used.run));
  await make(wrong, path);
  const asked = words.map((word) => (word === 'RUN' ? used.run : word));
  const ended = await (wrong === 'closed' ? unprivileged : loopfold)(asked, { cwd, env });
  if (wrong === 'closed') await chmod(path, 0o700);
  return { ...ended, path };
}

const RUN = ['run', 'x', ...MODEL];
const VERIFIED = [...RUN, '--verify', 'true'];
const ISOLATED = [...RUN, '--isolate', 'worktree'];
const KINDS = ['a file', 'a dangling link', 'closed'] as const;

type Case = readonly [place: string, wrong: Wrong, words: readonly string[], status: number, says: RegExp];

const each = (place: string, words: readonly string[], status: number, says: RegExp): readonly Case[] =>
  KINDS.map((wrong) => [place, wrong, words, status, says]);

const UNUSABLE = /PATH cannot be used \(E[A-Z]+: [a-z ]+\)\. Make it a folder that can be written to, or move away/;

test.each<Case>([
  ...each(
    '.loopfold',
    RUN,
    5,
    /PATH cannot be written \(E[A-Z]+\)\. Make it writable, or keep the log at another path/,
  ),
  ['.loopfold', 'a file', ['runs'], 5, /there is no log\. Start a run first/],
  ...each('.loopfold/proof', ['prove'], 5, UNUSABLE),
  ['.loopfold/proof', 'a file', VERIFIED, 5, UNUSABLE],
  ...each('.loopfold/proof/node_modules', ['prove'], 5, UNUSABLE),
  ['.loopfold/worktrees', 'a file', ISOLATED, 5, UNUSABLE],
  ['.loopfold/worktrees', 'a dangling link', ISOLATED, 5, UNUSABLE],
  ['.loopfold/worktrees', 'closed', ISOLATED, 5, /no worktree could be made .*PATH.* Make the folder writable/],
  ...each('.loopfold/worktrees', ['gc'], 5, UNUSABLE),
  ['.loopfold/worktrees/RUN.json', 'a folder', ['gc'], 0, /nothing|kept|removed/],
  ['.loopfold/log.db', 'a folder', ['runs'], 5, /PATH: it is not a file\. Name another path/],
  ['.loopfold/log.db', 'a dangling link', RUN, 7, /is not in the log any more/],
  ['.loopfold/log.db', 'closed', RUN, 5, /PATH: .*(read|writ)/],
  ['.loopfold/log.db-wal', 'a folder', RUN, 5, /PATH and .* readable files/],
  ['.loopfold/log.db-shm', 'a folder', RUN, 5, /Make .*PATH writable/],
  ['.loopfold/log.db-journal', 'a folder', ['runs'], 5, /PATH where they are there, readable files/],
  ...each('.loopfold/log.db.heads', ['runs'], 0, /PATH: the notes of heads cannot be read or written here/),
  ...each('state/loopfold', RUN, 0, /PATH\/holds\.db cannot be used, so another run may work in the same folder/),
  ['state/loopfold/holds.db', 'a folder', RUN, 0, /PATH cannot be used, so another run may work in the same folder/],
  ...each('tmp', VERIFIED, 5, /nothing to prove the work against: .*PATH cannot be used .*set TMPDIR to another/),
])(
  '%s is %s: %s ends with %i',
  async (place, wrong, words, status, says) => {
    const ended = await spoilt(place, wrong, words);
    const said = `${ended.stdout}${ended.stderr}`.replaceAll(ended.path, 'PATH');
    expect(said).not.toContain('this is a bug');
    expect(said.replace(/\s+/g, ' ')).toMatch(says);
    expect(ended.status).toBe(status);
  },
  LIMIT_MS,
);

test('a run whose folder of proofs was in the way goes on once it is not', async () => {
  const cwd = join(await mkdtemp(folderOfRun('mended-')), 'project');
  await cp(used.folder, cwd, { recursive: true });
  await make('a file', join(cwd, '.loopfold/proof'));
  expect((await loopfold(VERIFIED, { cwd })).status).toBe(5);
  expect(await readFile(join(cwd, '.loopfold/proof'), 'utf8')).toBe('in the way');
  await rm(join(cwd, '.loopfold/proof'));
  expect((await loopfold(['resume', '--last'], { cwd })).stderr).toContain('success');
});
