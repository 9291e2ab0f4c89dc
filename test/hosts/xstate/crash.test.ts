import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { factOf } from '../../../src/projections/fact.ts';
import { openSqliteLog } from '../../../src/log/sqlite/log.ts';
import { temporaryFolder } from '../../actors/workspace/repository.ts';

const file = new URL('hosting.process.ts', import.meta.url).pathname;

/** Hosts the parent in a process of its own until it says these words, and kills it there; without words, until it ends. */
async function hosted(folder: string, until: string | null): Promise<void> {
  const child = spawn(process.execPath, [file, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  for await (const line of createInterface({ input: child.stdout })) {
    if (line === until) child.kill('SIGKILL');
  }
  const [code, signal] = await exited;
  expect(until === null ? code : signal).toBe(until === null ? 0 : 'SIGKILL');
}

test('killed in the middle of effects and between them, a restored parent goes on, and nothing is done twice', async () => {
  const folder = await temporaryFolder();
  await hosted(folder, 'begins 2');
  await hosted(folder, 'ends 3');
  await hosted(folder, 'begins 5');
  await hosted(folder, null);

  const effects = (await readFile(join(folder, 'effects'), 'utf8')).trimEnd().split('\n');
  expect(new Set(effects).size).toBe(effects.length);
  expect(effects.filter((line) => line.startsWith('begins'))).toEqual([1, 2, 3, 4, 5].map((number) => `begins ${number}`));
  expect(effects).not.toContain('ends 2');
  expect(effects.at(-1)).toBe('deployed: all noted');

  const log = openSqliteLog(join(folder, 'log.db'));
  const [record, ...others] = await log.runs();
  expect(others).toEqual([]);
  const interrupted: string[] = [];
  for await (const envelope of log.read(record?.run ?? '')) {
    const fact = factOf(envelope);
    if (fact.type === 'tool.interrupted') interrupted.push(fact.payload.callId);
  }
  await log.close();
  expect(interrupted).toEqual(expect.arrayContaining(['1.0', '4.0']));
});

test('a parent that was saved while its run was young and restored after its end hears of it, and nothing is done again', async () => {
  const folder = await temporaryFolder();
  await hosted(folder, 'begins 1');
  const early = await readFile(join(folder, 'parent.json'));
  await hosted(folder, null);
  const before = (await readFile(join(folder, 'effects'), 'utf8')).split('\n');
  await writeFile(join(folder, 'parent.json'), early);
  await hosted(folder, null);
  const after = (await readFile(join(folder, 'effects'), 'utf8')).split('\n');
  expect(after.slice(0, before.length - 1)).toEqual(before.slice(0, -1));
  expect(after.slice(before.length - 1)).toEqual(['deployed: all noted', '']);
});
