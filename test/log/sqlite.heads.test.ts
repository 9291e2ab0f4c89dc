import type * as fs from 'node:fs';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { openSqliteLog } from '../../src/log/sqlite/engine.ts';
import { appended, fact, take } from '../../src/testing/log-contract/contract.ts';
import { temporaryStore } from './store.ts';

const disk = vi.hoisted(() => ({ writesOnly: Infinity }));

// A disk that takes a part of a write, which no file system does on demand.
vi.mock('node:fs', async (original) => {
  const real = await original<typeof fs>();
  const writeSync = (file: number, text: string, at: number) =>
    real.writeSync(file, text.slice(0, disk.writesOnly), at, 'utf8');
  return { ...real, writeSync };
});

test('a note of which the disk takes a part says nothing, and the next commit writes it anew', async () => {
  const path = temporaryStore();
  const note = join(`${path}.heads`, 'a');
  const log = openSqliteLog(path);
  const { epoch } = await take(log, 'a');
  const append = (expectedVersion: number) =>
    appended(log.append({ run: 'a', events: [fact()], expectedVersion, epoch }));
  await append(0);
  expect(existsSync(note)).toBe(true);

  disk.writesOnly = 30;
  await append(1);
  const other = openSqliteLog(path, { mode: 'read' });
  expect(await other.run('a')).toMatchObject({ version: 2 });
  await other.close();

  disk.writesOnly = Infinity;
  await append(2);
  expect(existsSync(note)).toBe(true);
  await log.close();
});
