import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const LIBRARY = new URL('../../src/index.ts', import.meta.url).href;

/** Whether a program that imports the library has loaded SQLite, before and after it opens a log in a file. */
const PROGRAM = `
  const { Loops, memoryLog, openSqliteLog, scriptedModel } = await import(${JSON.stringify(LIBRARY)});
  const isLoaded = () => process.moduleLoadList.includes('NativeModule sqlite');
  const loops = new Loops({ log: memoryLog(), model: scriptedModel({ answers: [{ text: 'done' }] }) });
  await (await loops.start({ prompt: 'Say so.', loop: 'turn', tools: [] })).done;
  const before = isLoaded();
  await openSqliteLog(process.argv[1]).close();
  console.log(JSON.stringify([before, isLoaded()]));
`;

test('a program whose log is in memory never loads SQLite, of which some versions of Node warn', () => {
  const path = join(mkdtempSync(join(tmpdir(), 'loopfold-')), 'log.db');
  const out = execFileSync(process.execPath, ['--input-type=module', '--eval', PROGRAM, path], { encoding: 'utf8' });
  expect(JSON.parse(out)).toEqual([false, true]);
});
