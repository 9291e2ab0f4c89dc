import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { endHolder } from '../../../src/hosts/local/end-holder.ts';
import { isKnownDead, isStopped, startOf, thisProcess } from '../../../src/log/holder.ts';

const [ANOTHER, NOBODY] = [12_345, 65_534];
const about = { runs: ['none'], store: import.meta.filename, isLapsed: async () => true };
/** Only root can be another user for a while, and only in a process of its own. */
const canChange = process.getuid?.() === 0 && process.seteuid !== undefined;

/** A process of another user that was stopped, as the holder of a lease. */
async function stoppedOfAnother() {
  const log = openSync(about.store, 'r');
  const child = spawn('sleep', ['60'], { uid: ANOTHER, stdio: ['ignore', log, 'ignore'] });
  closeSync(log);
  onTestFinished(() => void child.kill('SIGKILL'));
  const pid = child.pid ?? 0;
  child.kill('SIGSTOP');
  while (isStopped(pid) !== true) await delay(10);
  return { ...thisProcess(), pid, processStart: startOf(pid) ?? '' };
}

test.skipIf(!canChange)('the process of another user is left alone, and that is the reason given', async () => {
  const holder = await stoppedOfAnother();
  process.seteuid?.(NOBODY);
  try {
    expect(await endHolder(holder, about)).toBe(`process ${holder.pid} belongs to another user and is at work`);
  } finally {
    process.seteuid?.(0);
  }
  expect(isStopped(holder.pid)).toBe(true);
  // The same process, by a user who may end it.
  expect(await endHolder(holder, about)).toBeNull();
  expect(isKnownDead(holder)).toBe(true);
});

test.skipIf(process.platform !== 'linux')('a process that does not have the log open is left alone', async () => {
  const child = spawn('sleep', ['60'], { stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  const pid = child.pid ?? 0;
  const holder = { ...thisProcess(), pid, processStart: startOf(pid) ?? '' };
  expect(await endHolder(holder, about)).toBe(`process ${pid} is at work, and does not have this log open`);
  child.kill('SIGSTOP');
  while (isStopped(pid) !== true) await delay(10);
  expect(await endHolder(holder, about)).toContain('does not have this log open');
  expect(isKnownDead(holder)).toBe(false);
});
