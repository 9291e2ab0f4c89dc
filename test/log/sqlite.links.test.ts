import { lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { openSqliteLog } from '../../src/log/sqlite/engine.ts';
import { Heads } from '../../src/log/sqlite/heads.ts';
import { repairStore } from '../../src/log/sqlite/repair.ts';
import { appended, fact, take } from '../../src/testing/log-contract/contract.ts';
import { temporaryStore } from './store.ts';

const MINE = 'what a person keeps here, and no program of ours has written';

function victimBeside(path: string): string {
  const victim = join(dirname(path), 'victim.txt');
  writeFileSync(victim, MINE);
  return victim;
}

test('a link in the place of a note is replaced by the note, and what it leads to stays as it is', async () => {
  const path = temporaryStore();
  const victim = victimBeside(path);
  const note = join(`${path}.heads`, 'a');
  const first = openSqliteLog(path);
  const { epoch } = await take(first, 'a');
  await appended(first.append({ run: 'a', events: [fact()], expectedVersion: 0, epoch }));
  await first.close();
  rmSync(note);
  symlinkSync(victim, note);

  const log = openSqliteLog(path);
  for (const expectedVersion of [1, 2])
    await appended(log.append({ run: 'a', events: [fact()], expectedVersion, epoch }));
  await log.close();
  expect(readFileSync(victim, 'utf8')).toBe(MINE);
  expect(lstatSync(note).isFile()).toBe(true);
  expect(readFileSync(note, 'utf8')).toMatch(/^a 000000000003 /);
});

test('a link in the place of a note is not read, and named: it may lead to what never ends', async () => {
  const path = temporaryStore();
  mkdirSync(`${path}.heads`);
  symlinkSync('/dev/zero', join(`${path}.heads`, 'a'));
  const { heads, unread } = new Heads(`${path}.heads`).all();
  expect([...heads]).toEqual([]);
  expect(unread).toEqual([{ file: join(`${path}.heads`, 'a'), run: 'a', because: 'it is a link' }]);
});

test('a database that is a link to a file is refused: its write-ahead log lies elsewhere', async () => {
  const path = temporaryStore();
  await openSqliteLog(path).close();
  const link = temporaryStore();
  symlinkSync(path, link);
  const refused = expect.objectContaining({ kind: 'unavailable', detail: expect.stringMatching(/^it is a link to a/) });
  for (const mode of ['create', 'write', 'read'] as const) expect(() => openSqliteLog(link, { mode })).toThrow(refused);
  expect(() => repairStore(link, temporaryStore())).toThrow(refused);
  expect(readdirSync(dirname(link))).toEqual(['log.db']);
});

test('a link in the place of the draft of a note is not written through', async () => {
  const path = temporaryStore();
  const victim = victimBeside(path);
  mkdirSync(`${path}.heads`);
  symlinkSync(victim, join(`${path}.heads`, '.a'));
  const log = openSqliteLog(path);
  const { epoch } = await take(log, 'a');
  await appended(log.append({ run: 'a', events: [fact()], expectedVersion: 0, epoch }));
  await log.close();
  expect(readFileSync(victim, 'utf8')).toBe(MINE);
  expect(readdirSync(`${path}.heads`)).toEqual(['a']);
});

test.each(['../victim.txt', '..', '/tmp/victim', '.a', ''])('%j, which is no name of a run, gets no note', (name) => {
  const path = temporaryStore();
  const victim = victimBeside(path);
  mkdirSync(`${path}.heads`);
  const before = readdirSync(dirname(path));
  const heads = new Heads(`${path}.heads`);
  heads.write(name, { version: 1, hash: '0'.repeat(64) });
  heads.close();
  expect(readFileSync(victim, 'utf8')).toBe(MINE);
  expect(readdirSync(dirname(path))).toEqual(before);
  expect(readdirSync(`${path}.heads`)).toEqual([]);
});
