import { execa } from 'execa';
import { rmSync, writeFileSync } from 'node:fs';
import { readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { PrivateRecord } from '../../src/config/private-record.ts';
import { folderWith } from './places.ts';

const MODULE = pathToFileURL(join(import.meta.dirname, '../../src/config/trust-rules.ts')).href;
const ENTRIES = 40;
/** For one that waits for the other in vain. */
const MOST_MS = 60_000;

const recordIn = (folder: string) => new PrivateRecord(join(folder, 'trusted.json'), z.record(z.string(), z.string()));

test('two processes that write at the same time keep the entries of both', async () => {
  const folder = await folderWith({ x: '' });
  const adding = (name: string) => `
    import { existsSync, writeFileSync } from 'node:fs';
    const { TrustLedger } = await import(${JSON.stringify(MODULE)});
    const ledger = new TrustLedger(${JSON.stringify(folder)});
    writeFileSync(${JSON.stringify(join(folder, 'at-'))} + '${name}', '');
    while (!${JSON.stringify(['a', 'b'].map((one) => join(folder, `at-${one}`)))}.every((one) => existsSync(one)));
    for (let n = 0; n < ${ENTRIES}; n += 1) await ledger.add({ path: '${name}' + n, sha256: '1' });`;
  const processes = ['a', 'b'].map((name) =>
    execa(process.execPath, ['--input-type=module', '-e', adding(name)], { timeout: MOST_MS }),
  );
  await Promise.all(processes);
  expect(Object.keys(await recordIn(folder).entries())).toHaveLength(2 * ENTRIES);
});

test('B3 a lock that a killed process has left is removed, whatever time it has', async () => {
  const folder = await folderWith({ 'trusted.json.lock': '' });
  const ahead = new Date(Date.now() + 7_200_000);
  await utimes(join(folder, 'trusted.json.lock'), ahead, ahead);
  await recordIn(folder).update((entries) => ({ ...entries, a: '1' }));
  await recordIn(folder).update((entries) => ({ ...entries, b: '2' }));
  expect(await recordIn(folder).entries()).toEqual({ a: '1', b: '2' });
});

test('a process that was halted for long does not remove the lock of the one that took over', async () => {
  const folder = await folderWith({ x: '' });
  const lock = join(folder, 'trusted.json.lock');
  await recordIn(folder).update((entries) => {
    rmSync(lock);
    writeFileSync(lock, 'of another process');
    return entries;
  });
  expect(await readFile(lock, 'utf8')).toBe('of another process');
});

test('nothing of a lock is left after the work', async () => {
  const folder = await folderWith({ x: '' });
  await recordIn(folder).update((entries) => ({ ...entries, a: '1' }));
  expect((await readdir(folder)).toSorted()).toEqual(['trusted.json', 'x']);
});

test('a file that is out of shape is replaced', async () => {
  const folder = await folderWith({ x: '' });
  await writeFile(join(folder, 'trusted.json'), '[');
  await recordIn(folder).update((entries) => ({ ...entries, a: '1' }));
  expect(await recordIn(folder).entries()).toEqual({ a: '1' });
});
