import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, test } from 'vitest';
import { isDeadInThisBoot, isKnownDead, startFromPs, startOf, thisProcess } from '../../src/log/holder.ts';

const hasPs = startFromPs(process.pid) !== null;

test('this process is a living holder, with a token for each lease', () => {
  const [one, two] = [thisProcess(), thisProcess()];
  expect(one).toMatchObject({
    host: expect.stringMatching(new RegExp(`^${hostname()}`)),
    pid: process.pid,
    processStart: two.processStart,
  });
  expect(one.processStart).not.toBe('');
  expect(one.token).not.toBe(two.token);
  expect(isKnownDead(one)).toBe(false);
});

test("a holder is dead when its number is another process's, and unknown on other hosts or without a start", () => {
  const holder = { ...thisProcess(), processStart: 'earlier' };
  expect(isKnownDead(holder)).toBe(true);
  expect(isKnownDead({ ...holder, host: 'far.away' })).toBe(false);
  expect(isKnownDead({ ...holder, processStart: '' })).toBe(false);
});

test('a holder of another boot is not dead at once: another machine may have the name of this one', () => {
  const [start, boot] = thisProcess().processStart.split('@');
  const holder = (processStart: string) => ({ ...thisProcess(), processStart });
  expect(isDeadInThisBoot(thisProcess())).toBe(false);
  expect(isDeadInThisBoot(holder('earlier'))).toBe(true);
  if (boot === undefined) return;
  expect(isDeadInThisBoot(holder(`0@${boot}`))).toBe(true);
  expect(isDeadInThisBoot(holder(`${start}@0`))).toBe(false);
  expect(isKnownDead(holder(`${start}@0`))).toBe(true);
});

const hasNamespaces = existsSync('/proc/self/ns/pid');

test.skipIf(!hasNamespaces)(
  'of a holder in another container nothing is known, though the host has the same name',
  () => {
    const gone = { ...thisProcess(), processStart: 'earlier' };
    expect(gone.host).toBe(`${hostname()} ${readlinkSync('/proc/self/ns/pid')}`);
    expect(isKnownDead({ ...gone, host: `${hostname()} pid:[1]` })).toBe(false);
    expect(isKnownDead({ ...gone, host: hostname() })).toBe(false);
  },
);

const IN_NAMESPACE = ['--user', '--map-root-user', '--pid', '--fork', '--mount-proc'];
const canUnshare = hasNamespaces && spawnSync('unshare', [...IN_NAMESPACE, 'true']).status === 0;

test.skipIf(!canUnshare)(
  'a holder that lives in a namespace of its own is not taken for dead, nor does it take us for it',
  () => {
    const module = JSON.stringify(join(import.meta.dirname, '../../src/log/holder.ts'));
    const outer = thisProcess();
    const asked = `import { isKnownDead, thisProcess } from ${module};
    console.log(JSON.stringify({ inner: thisProcess(), isOuterDead: isKnownDead(${JSON.stringify(outer)}) }));`;
    const node = [process.execPath, '--input-type=module', '--eval', asked];
    const { stdout } = spawnSync('unshare', [...IN_NAMESPACE, ...node], { encoding: 'utf8' });
    const { inner, isOuterDead } = JSON.parse(stdout);
    expect(inner).toMatchObject({ pid: 1, host: expect.stringMatching(new RegExp(`^${hostname()} pid:`)) });
    expect(isKnownDead(inner)).toBe(false);
    expect(isOuterDead).toBe(false);
  },
);

test('a process that ended but was not waited for does not run', async () => {
  const parent = spawn('sh', ['-c', 'sleep 60 & echo $!; exec sleep 60'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(createInterface(parent.stdout), 'line');
  const pid = Number(line);
  const holder = { ...thisProcess(), pid, processStart: startOf(pid) ?? '' };
  expect(isKnownDead(holder)).toBe(false);
  process.kill(pid, 'SIGKILL');
  await expect.poll(() => isKnownDead(holder)).toBe(true);
  if (hasPs) expect(startFromPs(pid)).toBeNull();
  parent.kill('SIGKILL');
});

describe.skipIf(!hasPs)('where there is no /proc', () => {
  test('ps tells processes apart by their start, whatever the time zone', async () => {
    const child = spawn('sleep', ['60']);
    const pid = child.pid ?? 0;
    const start = startFromPs(pid);
    expect(start).toMatch(/\d{2}:\d{2}:\d{2} \d{4}$/);
    const zone = process.env['TZ'];
    process.env['TZ'] = 'Pacific/Kiritimati';
    expect(startFromPs(pid)).toBe(start);
    if (zone === undefined) delete process.env['TZ'];
    else process.env['TZ'] = zone;
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(startFromPs(pid)).toBeNull();
  });
});

const IN_OTHER_TIME = ['--user', '--map-root-user', '--time', '--boottime', '1000', '--fork'];
const canChangeTime = hasNamespaces && spawnSync('unshare', [...IN_OTHER_TIME, 'true']).status === 0;

test.skipIf(!canChangeTime)('a holder that counts its time from another start is not taken for dead', () => {
  const module = JSON.stringify(join(import.meta.dirname, '../../src/log/holder.ts'));
  const asked = `import { isKnownDead, thisProcess } from ${module};
    const outer = ${JSON.stringify(thisProcess())};
    console.log(JSON.stringify({ isOuterDead: isKnownDead(outer), name: thisProcess().host.split(' ')[0] }));`;
  const node = [process.execPath, '--input-type=module', '--eval', asked];
  const { stdout } = spawnSync('unshare', [...IN_OTHER_TIME, ...node], { encoding: 'utf8' });
  expect(JSON.parse(stdout)).toEqual({ isOuterDead: false, name: hostname() });
});
