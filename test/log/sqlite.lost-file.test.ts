import { copyFileSync, mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openSqliteLog } from '../../src/log/sqlite/engine.ts';
import { appended, fact, history } from '../../src/testing/log-contract/contract.ts';
import { temporaryStore } from './store.ts';

const LOST: readonly (readonly [what: string, lose: (path: string) => void, said: string])[] = [
  ['removed', (path) => rmSync(path), 'was removed'],
  ['removed with its folder', (path) => rmSync(dirname(path), { recursive: true }), 'was removed'],
  ['moved away', (path) => renameSync(path, `${path}.old`), 'was removed'],
  [
    'replaced by a copy',
    (path) => (renameSync(path, `${path}.old`), copyFileSync(`${path}.old`, path)),
    'was replaced',
  ],
  ['replaced by a folder', (path) => (rmSync(path), mkdirSync(path)), 'was replaced'],
];

describe('the next commit after the file of an open log was lost fails, and says what to do', () => {
  test.for(LOST)('%s', async ([, lose, said]) => {
    const path = temporaryStore();
    const log = openSqliteLog(path);
    const { epoch } = await history(log, 'a', 3);
    lose(path);
    const next = log.append({ run: 'a', events: [fact()], expectedVersion: 3, epoch });
    await expect(next).rejects.toMatchObject({ kind: 'lost', message: expect.stringContaining(said) });
    await expect(next).rejects.toThrow('start the run again');
    expect(await log.run('a')).toMatchObject({ version: 3 });
    await log.close();
  });

  test('a file that is back, and the same, is written again', async () => {
    const path = temporaryStore();
    const log = openSqliteLog(path);
    const { epoch } = await history(log, 'a', 3);
    const append = () => log.append({ run: 'a', events: [fact()], expectedVersion: 3, epoch });
    renameSync(path, `${path}.old`);
    await expect(append()).rejects.toThrow('was removed');
    renameSync(`${path}.old`, path);
    expect(await appended(append())).toHaveLength(1);
    await log.close();
  });

  test('replaced by a link that leads to itself', async () => {
    const path = temporaryStore();
    const log = openSqliteLog(path);
    const { epoch } = await history(log, 'a', 3);
    rmSync(path);
    symlinkSync(path, path);
    const next = log.append({ run: 'a', events: [fact()], expectedVersion: 3, epoch });
    await expect(next).rejects.toThrow('can no longer be reached (ELOOP)');
    rmSync(path);
    await log.close();
  });
});
