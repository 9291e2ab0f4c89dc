import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { storePlace } from '../../src/app/store-place.ts';
import { LogError } from '../../src/log/log.ts';
import { openSqliteLog } from '../../src/log/sqlite/engine.ts';
import { history } from '../../src/testing/log-contract/contract.ts';

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'loopfold-places-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** What opening throws, in a working directory of its own. */
function refusal(path: string, directory: string): unknown {
  const before = process.cwd();
  process.chdir(directory);
  try {
    openSqliteLog(path);
  } catch (error) {
    return error;
  } finally {
    process.chdir(before);
  }
  return null;
}

test.each(['', ':memory:'])('a log at %j, which would be in no file, is refused, and nothing is created', (path) => {
  const directory = folder();
  const error = refusal(path, directory);
  expect(error).toBeInstanceOf(LogError);
  expect(error).toMatchObject({ kind: 'unavailable', message: expect.stringContaining('memoryLog()') });
  expect(readdirSync(directory)).toEqual([]);
});

test.each(['sqlite:', 'sqlite::memory:', 'log.db'])('%s is no address of a store', async (address) => {
  expect(await storePlace(address, folder())).toMatch(/^sqlite:PATH/);
});

test('the own folder is made where it is missing, and git is told to ignore it', async () => {
  const own = join(folder(), '.loopfold');
  await openSqliteLog(join(own, 'log.db')).close();
  expect(readFileSync(join(own, '.gitignore'), 'utf8')).toBe('*\n');
  await openSqliteLog(join(own, 'log.db')).close();
});

/** The permissions of everything below a folder, but for links. */
function modesIn(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true }).map(String);
  const modes = ['.', ...names].map((name) => [name, (statSync(join(folder, name)).mode & 0o777).toString(8)]);
  return Object.fromEntries(modes) as Record<string, string>;
}

test('only its user may look into the own folder and read the files of a log, whatever the umask is', async () => {
  const own = join(folder(), '.loopfold');
  const before = process.umask(0);
  onTestFinished(() => void process.umask(before));
  const log = openSqliteLog(join(own, 'log.db'));
  await history(log, 'run-1', 1);
  const closed = {
    '.': '700',
    '.gitignore': '600',
    'log.db': '600',
    'log.db-shm': '600',
    'log.db-wal': '600',
    'log.db.heads': '700',
    'log.db.heads/run-1': '600',
  };
  expect(modesIn(own)).toEqual(closed);
  await log.close();

  for (const name of ['.', 'log.db', 'log.db.heads']) chmodSync(join(own, name), 0o755);
  await openSqliteLog(join(own, 'log.db'), { mode: 'read' }).close();
  expect(modesIn(own)).toMatchObject({ '.': '755', 'log.db': '755' });
  await openSqliteLog(join(own, 'log.db'), { mode: 'write' }).close();
  expect(modesIn(own)).toMatchObject({ '.': '700', 'log.db': '700', 'log.db.heads': '700' });
});

test('a log elsewhere is made for its user alone, and keeps what it is given later', async () => {
  const path = join(folder(), 'other.db');
  await openSqliteLog(path).close();
  expect(statSync(path).mode & 0o777).toBe(0o600);
  chmodSync(path, 0o640);
  await openSqliteLog(path).close();
  expect(statSync(path).mode & 0o777).toBe(0o640);
});

test('no other folder is made, nor is the own folder by a log that must be there already', () => {
  const directory = folder();
  const missing = expect.objectContaining({ message: expect.stringContaining('there is no folder') });
  expect(refusal('state/log.db', directory)).toEqual(missing);
  expect(refusal('state/.loopfold/log.db', directory)).toEqual(missing);
  expect(() => openSqliteLog(join(directory, '.loopfold/log.db'), { mode: 'write' })).toThrow('there is no folder');
  expect(readdirSync(directory)).toEqual([]);
});

test('a log that was opened by a relative path stays the same when the process changes its folder', async () => {
  const directory = folder();
  const before = process.cwd();
  mkdirSync(join(directory, 'sub'));
  process.chdir(directory);
  try {
    const log = openSqliteLog('log.db');
    process.chdir('sub');
    expect(log.store).toBe(join(process.cwd(), '../log.db'));
    expect(await log.runs()).toEqual([]);
    await log.close();
  } finally {
    process.chdir(before);
  }
  expect(existsSync(join(directory, 'sub/log.db'))).toBe(false);
});

test('a path that leads round in circles, or has a folder in the place of its journal, is reported', async () => {
  const circle = join(folder(), 'log.db');
  symlinkSync('log.db', circle);
  expect(refusal(circle, folder())).toMatchObject({
    kind: 'unavailable',
    message: expect.stringContaining('looked at'),
  });

  const path = join(folder(), 'log.db');
  await openSqliteLog(path).close();
  mkdirSync(`${path}-wal`);
  const error = refusal(path, folder());
  expect(error).toMatchObject({ kind: 'unavailable', message: expect.stringContaining('cannot be (EISDIR)') });
});
