import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { standWalls } from '../../../src/actors/proof/agent-walls.ts';
import { agentHomes } from '../../../src/evidence/agent-homes.ts';
import { KEPT_IN_WORKSPACE } from '../../../src/hosts/local/sandbox-plan.ts';
import { HAS_WALLS } from '../../hosts/local/proof/proof-project.ts';

const SECRET = 'sk-proj-known-to-the-parent';
const signal = new AbortController().signal;

/** Walls around a project, in the home of a person with a key in it. */
async function walled(name = 'project', reach: { place?: string; writable?: string } = {}) {
  const place = await realpath(await mkdtemp(join(tmpdir(), 'walled-')));
  const [root, home] = [join(place, name), join(place, 'home')];
  await mkdir(root);
  await mkdir(home);
  execFileSync('git', ['init', '-q', root]);
  await writeFile(join(root, 'loopfold.config.json'), '{}\n');
  await mkdir(join(home, '.ssh'));
  await writeFile(join(home, '.ssh/id_ed25519'), SECRET);
  await mkdir(join(home, '.npm'));
  await writeFile(join(home, '.npm/kept'), 'of the person');
  const ours = join(place, 'ours');
  await mkdir(ours);
  if (reach.writable !== undefined) await mkdir(join(home, reach.writable), { recursive: true });
  const plan = {
    home,
    node: dirname(process.execPath),
    network: 'none',
    environment: { GIT_AUTHOR_NAME: 'Ada', GIT_AUTHOR_EMAIL: 'ada@example.org' },
    limits: 'memory=512mb',
    homeFiles: { '.npmrc': 'registry=http://127.0.0.1:4873/\n' },
    toolHomes: agentHomes(),
    homeFolders: reach.place === undefined ? [] : [{ folder: ours, place: reach.place }],
    writable: [root, join(root, '.git'), ...(reach.writable === undefined ? [] : [join(home, reach.writable)])],
    kept: KEPT_IN_WORKSPACE.map((path) => join(root, path)),
  } as const;
  const walls = await standWalls(plan);
  if ('missing' in walls) throw new Error(walls.missing);
  const run = async (command: string) => {
    const limits = { environment: { HOME: home }, timeoutMs: 20_000, maxOutputBytes: 20_000, signal };
    const result = await walls.run({ run: 'a-run', command, directory: root, ...limits });
    return result.kind === 'exited' ? { status: result.exitCode, output: result.output } : { status: null, output: '' };
  };
  return { place, root, home, walls, run };
}

describe.skipIf(!HAS_WALLS)('given walls around the commands of an attempt', () => {
  let at: Awaited<ReturnType<typeof walled>>;
  let elder: ReturnType<typeof spawn>;

  beforeAll(async () => {
    elder = spawn('sleep', ['600'], { env: { PATH: process.env['PATH'], OPENAI_API_KEY: SECRET } });
    at = await walled();
  });
  afterAll(async () => {
    await at.walls.end();
    await rm(at.place, { recursive: true });
    const ended = once(elder, 'exit');
    elder.kill('SIGKILL');
    await ended;
  });

  test('B1 a command works in the workspace, and its temporary files are there for the next one', async () => {
    const { root, run } = at;
    expect(await run('pwd; echo new > b.txt; git add b.txt; echo 1 > /tmp/mine')).toEqual({
      status: 0,
      output: `${root}\n`,
    });
    expect(await run('cat b.txt /tmp/mine; exit 3')).toEqual({ status: 3, output: 'new\n1\n' });
    expect(await readFile(join(root, 'b.txt'), 'utf8')).toBe('new\n');
  });

  test('B1 git knows the author of a commit there', async () => {
    const committing = 'GIT_COMMITTER_NAME=c GIT_COMMITTER_EMAIL=c@example.org git commit -q --allow-empty -m one';
    expect(await at.run(`${committing} && git log --format='%an %ae'`)).toEqual({
      status: 0,
      output: 'Ada ada@example.org\n',
    });
  });

  const READS = [
    ['the environment of another process', `cat /proc/[0-9]*/environ | tr '\\0' '\\n'`],
    ['the environment of the process that holds the walls', 'cat /proc/1/environ'],
    ['a key in the home', 'cat ~/.ssh/id_ed25519; ls -A ~/.ssh'],
    ['the memory of the process that holds the walls', 'head -c 1 /proc/1/mem'],
    ['the root of the process that holds the walls', 'cat /proc/1/root/$HOME/.ssh/id_ed25519'],
    ['a key by a link of its own', 'ln -sf "$HOME/.ssh/id_ed25519" link; cat link'],
    ['a key by a second name', 'ln "$HOME/.ssh/id_ed25519" second; cat second'],
    ['a key anywhere on the machine', 'find /home /root /tmp /var/tmp /dev/shm -name "id_ed25519" -exec cat {} +'],
    ['the folder of another process', 'cat /proc/[0-9]*/cwd/.ssh/id_ed25519'],
    ['the place that it was before', 'cat /proc/self/root/../../..$HOME/.ssh/id_ed25519'],
    ['the mounts of the holder', 'nsenter -t 1 -m -U cat "$HOME/.ssh/id_ed25519"'],
    ['another process with an empty environment', `env -i setsid -w sh -c 'cat /proc/[0-9]*/environ | tr "\\0" "\\n"'`],
    ['the memory of a process by a debugger', 'cat /proc/[0-9]*/maps; dd if=/proc/1/mem bs=1 count=1'],
    ['a disk', 'for disk in /dev/sd* /dev/vd* /dev/nvme*; do head -c 1000000 "$disk"; done'],
    [
      'the processes of the machine by a second /proc',
      `unshare -Urmp --fork sh -c 'mount -t proc proc /proc; cat /proc/[0-9]*/environ'`,
    ],
    ['the home by its own path', 'cd / && find "$HOME" -type f -name "id_*" -exec cat {} +'],
  ] as const;
  test.each(READS)('B1 it does not read %s', async (_what, command) => {
    expect((await at.run(`${command}; true`)).output).not.toContain(SECRET);
  });

  const WRITES = [
    ['a hook of git', 'echo x > .git/hooks/pre-commit'],
    ['the configuration of git', 'git config core.hooksPath /tmp'],
    ['our configuration', 'echo {} > loopfold.config.json'],
    ['the machine', 'touch /etc/loopfold-was-here'],
    [
      'a hook of git where git itself is moved away',
      'mv .git moved && cp -r moved .git && echo x > .git/hooks/pre-commit',
    ],
    [
      'a hook of git where its folder is removed',
      'rm -rf .git/hooks && mkdir .git/hooks && echo x > .git/hooks/pre-commit',
    ],
    ['attributes of git', 'echo "* filter=x" > .git/info/attributes'],
    ['the configuration of git by a new file in its place', 'cp .git/config new && mv new .git/config'],
    ['our configuration by a new file in its place', 'echo {} > new && mv new loopfold.config.json'],
    ['a program of the machine', 'cp /bin/true /usr/bin/git'],
    ['tasks by time', 'echo "* * * * * true" | crontab -'],
    ['a device', 'mknod disk b 8 0'],
    [
      'a program with rights of another user',
      'cp /bin/sh own && chown root own && chmod u+s own && ./own -p -c "touch /etc/x"',
    ],
    ['the root of the machine by a chroot', 'chroot /proc/1/root touch /etc/loopfold-was-here'],
    ['control groups', 'mkdir /sys/fs/cgroup/own'],
    ['the name of the machine', 'hostname other'],
    ['a file of the kernel', 'echo 1 > /proc/sys/kernel/sysrq'],
    ['by a mount of its own', 'mount -t tmpfs none /mnt'],
    ['by a namespace of its own', 'unshare --user --map-root-user --mount mount -o remount,rw /'],
    ['the old root by a link', 'ln -s /proc/1/root/etc out && touch out/loopfold-was-here'],
  ] as const;
  test.each(WRITES)('B1 it does not write %s', async (_what, command) => {
    expect((await at.run(command)).status).not.toBe(0);
  });

  test('B1 what it writes to the home and to the folders of tools is not in those of the person', async () => {
    const { run, home } = at;
    expect(await run('echo x > ~/.bashrc; cat ~/.npm/kept; echo mine > ~/.npm/kept; cat ~/.npm/kept')).toEqual({
      status: 0,
      output: 'of the personmine\n',
    });
    expect((await readdir(home)).toSorted()).toEqual(['.npm', '.ssh']);
    expect(await readFile(join(home, '.npm/kept'), 'utf8')).toBe('of the person');
  });

  test('B1 it reaches no server of this machine, and no process outside', async () => {
    const { run } = at;
    const { output } = await run(
      `kill -9 ${process.pid} ${elder.pid}; ls /proc | grep -c '^[0-9]'; exec 3<>/dev/tcp/127.0.0.1/22`,
    );
    expect(output).not.toContain('SSH');
    expect(elder.exitCode).toBeNull();
  });

  test('B1 a process that takes more memory than its limit ends alone', async () => {
    const { status, output } = await at.run(`node -e 'Buffer.alloc(1.5 * 1024 ** 3, 1)' 2>&1; echo after`);
    expect(output).toMatch(/allocation|memory/i);
    expect({ status, after: output.endsWith('after\n') }).toEqual({ status: 0, after: true });
  });

  test('B1 with the walls all ends that a command has left in a session of its own', async () => {
    const temporary = await mkdtemp(join(tmpdir(), 'of-walls-'));
    vi.stubEnv('TMPDIR', temporary);
    onTestFinished(() => void vi.unstubAllEnvs());
    const { run, walls } = await walled();
    await run('env -i setsid sleep 4242 > /dev/null 2>&1 &');
    await walls.end();
    expect(execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })).not.toContain('sleep 4242');
    expect((await readdir(temporary)).filter((name) => name.startsWith('loopfold-walls-'))).toEqual([]);
    await rm(temporary, { recursive: true });
  });
});

describe.skipIf(!HAS_WALLS)('given names that no table of mounts can hold', () => {
  test.each(['a project', 'é#1', "it's\n"])('B1 what is kept of a workspace named %j stays as it is', async (name) => {
    const { place, root, walls, run } = await walled(name);
    const { status, output } = await run('cat loopfold.config.json .git/config; echo x > loopfold.config.json');
    await walls.end();
    expect({ status, output }).toEqual({ status: 2, output: expect.stringContaining('{}\n[core]') });
    expect(await readFile(join(root, 'loopfold.config.json'), 'utf8')).toBe('{}\n');
    await rm(place, { recursive: true });
  });
});

test.skipIf(!HAS_WALLS)('B1 the machine is read-only where temporary files are found by a link', async () => {
  const top = await realpath(await mkdtemp(join(tmpdir(), 'linked-')));
  const link = join(top, 'link');
  await symlink(top, link);
  vi.stubEnv('TMPDIR', link);
  onTestFinished(() => void vi.unstubAllEnvs());
  const { walls, run } = await walled();
  expect(await run('test ! -w /usr && test ! -w /etc')).toEqual({ status: 0, output: '' });
  await walls.end();
  await rm(top, { recursive: true });
});

test.skipIf(!HAS_WALLS).each([
  { what: 'a folder of ours lies in one of a tool', place: '.npm/ours', written: '.npm/ours' },
  { what: 'a folder to write lies in one of ours', place: '.agent', writable: '.agent/a', written: '.agent/a' },
])('B1 walls stand where $what', async ({ written, ...reach }) => {
  const { place, walls, run } = await walled('project', reach);
  expect(await run(`echo x > ~/${written}/new`)).toEqual({ status: 0, output: '' });
  await walls.end();
  await rm(place, { recursive: true });
});

/** Times that a program is killed; many more by hand. */
const KILLS = Number(process.env['TEST_KILLS'] ?? 2);

test.skipIf(!HAS_WALLS)('B1 a program that is killed leaves no command and no holder of its walls', async () => {
  const holder = join(import.meta.dirname, 'walls-holder.process.ts');
  for (let kill = 0; kill < KILLS; kill += 1) {
    const directory = await realpath(await mkdtemp(join(tmpdir(), 'killed-')));
    const mark = `${process.pid}.${kill}`;
    const program = spawn(process.execPath, [holder, directory, mark], { stdio: 'ignore' });
    await expect.poll(() => existsSync(join(directory, 'begun')), { timeout: 20_000 }).toBe(true);
    const ended = once(program, 'exit');
    program.kill('SIGKILL');
    await ended;
    const left = () => execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' });
    await expect.poll(left, { timeout: 10_000 }).not.toMatch(new RegExp(`sleep ${mark}|${directory}`));
    await rm(directory, { recursive: true });
  }
});

test('B1 where walls cannot stand, the reason is said', async () => {
  const empty = await mkdtemp(join(tmpdir(), 'empty-'));
  onTestFinished(() => rm(empty, { recursive: true }));
  const nothing = {
    home: '',
    homeFiles: {},
    limits: undefined,
    node: empty,
    toolHomes: [],
    writable: [empty],
    kept: [],
    environment: {},
  };
  vi.stubEnv('PATH', empty);
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(await standWalls({ ...nothing, network: 'none' })).toEqual({
    missing: expect.stringMatching(/unshare|not found/),
  });
});
