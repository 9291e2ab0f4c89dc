import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { LogError } from '../../src/log/log.ts';
import { openSqliteLog } from '../../src/log/sqlite/engine.ts';
import { all, appended, fact, history, take } from '../../src/testing/log-contract/contract.ts';
import { temporaryStore } from './store.ts';

/** Every file below the store's folder, with its bytes. */
export function everythingAt(path: string): Map<string, string> {
  const files = readdirSync(dirname(path), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map((entry) => join(entry.parentPath, entry.name)).filter((file) => !file.endsWith('-shm'));
  return new Map(paths.toSorted().map((file) => [file, readFileSync(file, 'latin1')]));
}

export function failure(act: () => unknown): LogError {
  try {
    act();
  } catch (error) {
    if (error instanceof LogError) return error;
    throw error;
  }
  throw new Error('expected a failure');
}

export async function closedStore(events = 40): Promise<string> {
  const path = temporaryStore();
  const log = openSqliteLog(path);
  await log.release(await history(log, 'a', events));
  await log.close();
  return path;
}

/** What a killed process leaves behind: a copy of a store while it is open, its write-ahead log beside it. */
export async function crash(path: string): Promise<string> {
  const log = openSqliteLog(path);
  const { epoch } = await take(log, 'a');
  for (let version = 40; version < 60; version += 1) {
    await appended(log.append({ run: 'a', events: [fact()], expectedVersion: version, epoch }));
  }
  const copy = temporaryStore();
  for (const suffix of ['', '-wal']) copyFileSync(path + suffix, copy + suffix);
  mkdirSync(`${copy}.heads`);
  copyFileSync(join(`${path}.heads`, 'a'), join(`${copy}.heads`, 'a'));
  await log.close();
  return copy;
}

/** Where the page begins that holds a text. */
export function pageOf(path: string, text: string): number {
  return Math.floor(readFileSync(path).indexOf(text) / 4_096) * 4_096;
}

export function overwrite(path: string, from: number, bytes: number): void {
  const content = readFileSync(path);
  content.fill(0xa5, from, from + bytes);
  writeFileSync(path, content);
}

export function edit(path: string, ...statements: string[]): void {
  const db = new DatabaseSync(path);
  for (const sql of statements) db.exec(sql);
  db.close();
}

export async function lengthOf(path: string): Promise<number> {
  const log = openSqliteLog(path, { mode: 'read' });
  const events = await all(log.read('a'));
  await log.close();
  return events.length;
}
