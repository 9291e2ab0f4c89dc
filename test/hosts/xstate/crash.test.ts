import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { factOf } from '../../../src/projections/read-summary.ts';
import { openSqliteLog } from '../../../src/log/sqlite/engine.ts';
import { bundled, compileCache, YOUNG_GENERATION } from '../../support/bundled.ts';
import { temporaryFolder } from '../../git/repository.ts';
import { testInTurn } from '../../support/in-turn.ts';

const file = bundled('test/hosts/xstate/hosting.process.ts');

/** Hosts the parent in a process of its own that is killed at exactly this moment; without one, until it ends. */
async function hosted(folder: string, until: string | null): Promise<void> {
  const words = [...YOUNG_GENERATION, file, folder, ...(until === null ? [] : [until])];
  const child = spawn(process.execPath, words, { stdio: 'inherit', env: { ...process.env, ...compileCache } });
  const [code, signal] = await once(child, 'exit');
  expect({ until, code, signal }).toEqual(
    until === null ? { until, code: 0, signal: null } : { until, code: null, signal: 'SIGKILL' },
  );
}

testInTurn(
  'killed during effects and between them, a restored parent continues, and nothing is done twice',
  async () => {
    const folder = await temporaryFolder();
    await hosted(folder, 'begins 2');
    await hosted(folder, 'step 2');
    await hosted(folder, 'ends 3');
    await hosted(folder, 'step 4');
    await hosted(folder, 'begins 5');
    await hosted(folder, null);

    const effects = (await readFile(join(folder, 'effects'), 'utf8')).trimEnd().split('\n');
    const noted = [1, 2, 3, 4, 5].flatMap((number) => [`begins ${number}`, `ends ${number}`]);
    const cutOff = ['ends 2', 'ends 5'];
    expect(effects).toEqual([...noted.filter((what) => !cutOff.includes(what)), 'deployed: all noted']);

    const log = openSqliteLog(join(folder, 'log.db'));
    const [record, ...others] = await log.runs();
    expect(others).toEqual([]);
    const interrupted: string[] = [];
    for await (const envelope of log.read(record?.run ?? '')) {
      const fact = factOf(envelope);
      if (fact.type === 'tool.interrupted') interrupted.push(fact.payload.callId);
    }
    await log.close();
    expect(interrupted).toEqual(['1.0', '2.0', '4.0']);
  },
);

test('a parent saved early and restored after the run’s end receives the end, and nothing is done again', async () => {
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
