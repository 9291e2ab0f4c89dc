import { cp, mkdir, truncate } from 'node:fs/promises';
import { constants } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { EXIT } from '../../src/cli/terminal/exit-status.ts';
import { git } from '../git/repository.ts';
import { folderOfRun } from '../support/bundled.ts';
import { type Draw, drawOf, faultLibrary } from '../support/system-faults.ts';
import { takesAll } from '../support/tenth.ts';
import { folder, listing, loopfold, MODEL } from './program.ts';
import { canMount, OWN_MOUNTS, quoted, shellOutput } from './shell-output.ts';
import { loopfold as warm } from './warm-process.ts';

await mkdir(folderOfRun('shim'), { recursive: true });
const library = faultLibrary(folderOfRun('shim'));
const DRAWS = takesAll ? 200 : 12;
const seeds = Array.from({ length: DRAWS }, (_, index) => index + 1);

const WRITING = { tool: 'write', arguments: { path: 'work-of-faults/a.txt', content: 'done' } };
const SCRIPT = JSON.stringify({ answers: [{ calls: [WRITING] }, { text: 'done' }, { text: 'done' }] });
const RUN = [
  'run',
  ...MODEL,
  '--loop',
  'turn',
  '--verify',
  'grep -q done work-of-faults/a.txt',
  '--accept',
  'weak',
  'x',
];
const WORDS: Readonly<Record<string, readonly string[]>> = {
  run: RUN,
  show: ['show', '--last'],
  diff: ['diff', '--last'],
  undo: ['undo', '--last'],
  apply: ['apply', '--last'],
  prove: ['prove', '--last'],
};

/** A project with a run that has ended. One for all draws: the next one finds what each has left. */
let root = '';
beforeAll(async () => {
  root = await folder({ '.gitignore': '.loopfold\n', 'model.json': SCRIPT, 'work-of-faults/b.txt': '' });
  await git(root, 'init', '--quiet');
  await git(root, 'add', '--all');
  await git(root, 'commit', '--quiet', '--message=first');
  expect(await loopfold(RUN, { cwd: root })).toMatchObject({ status: EXIT.success });
});

const under = ({ verb, environment }: Draw) =>
  loopfold(WORDS[verb] ?? [verb], { cwd: root, env: { ...environment, LD_PRELOAD: library ?? '' } });

const BLAMED = /is damaged|malformed|this is a bug|broke its promise|is not what its name says|Restore it from a copy/;
const NEVER = new Set<number | null>([null, EXIT.internal, EXIT.log]);

test.skipIf(library === null).for(seeds)(
  'B5 a system call that fails is never called damage or a bug, draw %i',
  async (seed) => {
    const draw = drawOf(seed);
    const { status, stdout, stderr } = await under(draw);
    const said = `${stdout}\n${stderr}`;
    expect({ draw, said, isBlamed: BLAMED.test(said) || NEVER.has(status) }).toEqual({ draw, said, isBlamed: false });
    const after = await warm(['check'], { cwd: root });
    expect({ draw, ...after }).toEqual({ draw, ...after, status: EXIT.success });
  },
);

const { ENOLCK, EIO } = constants.errno;
const LOG = { FAULT_PLACE: '/log.db', LD_PRELOAD: library ?? '' };

test.skipIf(library === null).each([
  ['grants every lock', { FAULT_CALL: 'nolock' }, 'grants a lock twice, so that two processes would write at once'],
  ['refuses every lock', { FAULT_CALL: 'lock', FAULT_ERRNO: String(ENOLCK) }, 'gives no locks'],
])('B5 a file system that %s is refused with 5 before anything is recorded', async (_does, environment, words) => {
  const cwd = await folder({ 'model.json': SCRIPT });
  const answer = await loopfold(['run', ...MODEL, '--loop', 'turn', '--tools', 'read', 'x'], {
    cwd,
    env: { ...LOG, ...environment },
  });
  expect(answer).toMatchObject({ status: EXIT.environment, stdout: '' });
  expect(answer.stderr).toMatch(
    new RegExp(`log\\.db: its file system ${words}.*Keep the log on a local disk, with --log PATH`),
  );
  expect(await listing(cwd)).not.toContainEqual(expect.stringContaining('lock-'));
});

test.skipIf(library === null)('B5 a log whose disk fails is not damaged, and one that is damaged is', async () => {
  const copy = await folder();
  await cp(join(root, '.loopfold'), join(copy, '.loopfold'), { recursive: true });
  const env = { ...LOG, FAULT_CALL: 'read', FAULT_ERRNO: String(EIO), FAULT_AFTER: '4' };
  const failing = await loopfold(['runs'], { cwd: copy, env });
  expect(failing).toMatchObject({
    status: EXIT.environment,
    stderr: expect.stringMatching(/cannot be read \(EIO\)|disk I\/O error/),
  });
  await truncate(join(copy, '.loopfold/log.db'), 4096);
  const damaged = await loopfold(['runs'], { cwd: copy });
  expect(damaged).toMatchObject({ status: EXIT.log, stderr: expect.stringContaining('is damaged') });
});

test.skipIf(!canMount)(
  'B5 a disk that is full at the first start ends it with 5, and says to free some space',
  async () => {
    const cwd = await folder({ 'model.json': SCRIPT });
    const said = await shellOutput(cwd, OWN_MOUNTS, [
      'mkdir small && mount -t tmpfs -o size=96k none small && cp model.json small && cd small || exit',
      quoted('run', ...MODEL, '--loop', 'turn', '--tools', 'read', 'x'),
    ]);
    expect(said).toMatch(/disk is full.*Free some space/);
    expect(said).toContain(`status ${EXIT.environment}\n`);
  },
);
