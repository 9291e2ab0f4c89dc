import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { hostname } from 'node:os';
import { createInterface } from 'node:readline';
import { describe, expect, test } from 'vitest';
import { isKnownDead, startFromPs, startOf, thisProcess } from '../../src/log/holder.ts';

const hasPs = startFromPs(process.pid) !== null;

test('this process is a living holder, with a token for each lease', () => {
  const [one, two] = [thisProcess(), thisProcess()];
  expect(one).toMatchObject({ host: hostname(), pid: process.pid, processStart: two.processStart });
  expect(one.processStart).not.toBe('');
  expect(one.token).not.toBe(two.token);
  expect(isKnownDead(one)).toBe(false);
});

test('a holder is dead when its number is another process\'s, and unknown on other hosts or without a start', () => {
  const holder = { ...thisProcess(), processStart: 'earlier' };
  expect(isKnownDead(holder)).toBe(true);
  expect(isKnownDead({ ...holder, host: 'far.away' })).toBe(false);
  expect(isKnownDead({ ...holder, processStart: '' })).toBe(false);
});

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
