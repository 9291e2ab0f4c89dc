import { execFile } from 'node:child_process';
import { chmod, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { folder, listing, loopfold, Program } from './program.ts';

const run = promisify(execFile);

test('demo: two attempts fail, the third is proven, a cheat is caught, every suggested command works', async () => {
  const home = await folder();
  const cwd = await folder();
  const temporary = await folder();
  await chmod(home, 0o555);
  const env = {
    HOME: home,
    TMPDIR: temporary,
    GIT_CONFIG_NOSYSTEM: '1',
    NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache'),
  };
  const { status, stdout, stderr } = await loopfold(['demo'], { cwd, env });
  expect(status).toBe(0);
  expect(await listing(cwd)).toEqual([]);
  expect(await listing(home)).toEqual([]);

  expect(stderr.match(/✗ L1 node --test/g)).toHaveLength(5);
  expect(stderr.match(/✓ L1 node --test/g)).toHaveLength(1);
  expect(stderr).toContain('999 !== 1000');
  expect(stderr).toContain('2 cents apart');
  expect(stderr).toContain('success, witnessed');
  const [, cheat = ''] = stderr.split('The same task once more');
  expect(cheat).toContain('› shell node --test\n');
  expect(cheat).toContain('Your changes of them do not count here:\n        - test/split.test.js');
  expect(cheat).toContain('cap_hit');
  expect(stdout).toContain('In its folder all tests passed.');

  const [made] = await readdir(temporary).then((names) => names.filter((name) => name.startsWith('loopfold-demo-')));
  const directory = join(temporary, made ?? '', 'split-bill');
  const tests = await run(process.execPath, ['--test'], { cwd: directory, env: {} });
  expect(tests.stdout).toContain('fail 0');
  const changed = await run('git', ['status', '--short'], { cwd: directory });
  expect(changed.stdout).toBe(' M src/split.js\n');

  const commands = stdout
    .split('\n')
    .filter((line) => line.startsWith('    '))
    .map((line) => line.trim());
  expect(commands).toHaveLength(5);
  const outputs = [];
  for (const command of commands)
    outputs.push(
      (await run('/bin/sh', ['-c', command], { cwd, env: { ...env, PATH: process.env['PATH'] ?? '' } })).stdout,
    );
  const [shown, events, state, difference, again] = outputs;
  expect(shown).toContain('success, witnessed');
  expect(events).toContain('verification.completed');
  expect(state).toContain('state decide');
  expect(difference).toContain('+++ b/src/split.js');
  expect(again).toContain('All three tests pass');
});

test('a demo that is interrupted is paused, and tells of no success; it can be resumed', async () => {
  const [cwd, temporary] = [await folder(), await folder()];
  const env = { TMPDIR: temporary, NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache') };
  const program = new Program(['demo'], { cwd, env });
  await program.shows('iteration 1/3');
  program.signal('SIGINT');
  const { status, stdout, stderr } = await program.ended;
  expect(status).toBe(130);
  expect(stdout).not.toMatch(/Proof|--at|said/);
  expect(stderr).toMatch(/^paused$/m);
  const [, next = ''] = /^next {2}(.* resume .*)$/m.exec(stderr) ?? [];
  const resumed = await run('/bin/sh', ['-c', next], { cwd, env: { ...env, PATH: process.env['PATH'] ?? '' } });
  expect(resumed.stderr).toContain('success, witnessed');
});
