import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { v7 as uuidv7 } from 'uuid';
import { expect, onTestFinished } from 'vitest';
import { openSqliteLog } from '../../../src/log/sqlite/engine.ts';
import { Program } from '../../cli/program.ts';
import { temporaryFolder } from '../../git/repository.ts';
import { bundled } from '../../support/bundled.ts';
import { freePort } from '../../support/free-port.ts';
import { startRestate } from '../../support/restate.ts';

const KILLS = 100;
/** Every so many kills of the service, the server is killed, too. */
const SERVER_EVERY = 5;
const AT_ONCE = 4;
const PAUSE_MS = 900;
const CALM_MS = 120_000;

const command = (effects: string, part: string) => ({
  tool: 'shell',
  arguments: { command: `echo "$LOOPFOLD_COMMAND ${part}" >> '${effects}'; sleep 0.4` },
});

/** Runs on Restate, while its service and its server are killed again and again. */
export async function serviceStorm(): Promise<void> {
  const server = await startRestate();
  onTestFinished(() => server.stop());
  const folder = await temporaryFolder();
  const [store, effects] = [join(folder, 'log.db'), join(folder, 'effects.txt')];
  const calls = ['a', 'b', 'c'].map((part) => ({ calls: [command(effects, part)] }));
  const script = JSON.stringify({ answers: [...calls, { text: 'done' }] });
  const port = await freePort();
  const begin = async () => {
    const words = [String(port), store, folder, script];
    const service = new Program(words, { cwd: folder, file: bundled('test/hosts/restate/serving.process.ts') });
    await service.shows('listening');
    return service;
  };
  const log = openSqliteLog(store);
  onTestFinished(() => log.close());
  let service = await begin();
  onTestFinished(() => service.signal('SIGKILL'));
  await server.register(port);

  const runs: string[] = [];
  const closed = async (run: string) => (await log.run(run))?.closed ?? null;
  const open = async () => (await Promise.all(runs.map(closed))).filter((ending) => ending === null).length;
  const fill = async () => {
    for (let count = await open(); count < AT_ONCE; count += 1) {
      const run = uuidv7();
      await server.call(run, 'drive/send', { prompt: 'Do it.', loop: 'turn', tools: ['shell'] });
      runs.push(run);
    }
  };
  for (let kills = 1; kills <= KILLS; kills += 1) {
    await fill();
    await sleep(PAUSE_MS);
    service.signal('SIGKILL');
    await service.ended;
    if (kills % SERVER_EVERY === 0) await server.crash();
    service = await begin();
  }

  const calm = performance.now() + CALM_MS;
  while ((await open()) > 0 && performance.now() < calm) await sleep(500);
  const endings = await Promise.all(runs.map(closed));
  expect(endings.filter((ending) => ending !== 'success')).toEqual([]);
  for (const run of runs) expect(await log.verifyTree(run)).toMatchObject({ kind: 'intact' });
  const marks = (await readFile(effects, 'utf8')).trim().split('\n');
  expect(new Set(marks).size).toBe(marks.length);
  expect(runs.length).toBeGreaterThan(AT_ONCE);
}
