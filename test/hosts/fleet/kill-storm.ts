import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished } from 'vitest';
import { Loops } from '../../../src/hosts/local/local-host.ts';
import { openPostgresLog } from '../../../src/log/postgres/open-postgres-log.ts';
import { environment, folder, MAIN, project } from '../../cli/program.ts';
import { startPostgres } from '../../support/postgres.ts';

const RUNS = 50;
const WORKERS = 3;
const STORM_MS = 120_000;
const KILL_EVERY_MS = 3_000;
const SERVER_CRASHES = 3;
/** Within which every run ends once nothing is killed any more. */
const CALM_MS = 60_000;

/** Each worker counts its processes anew, as on another machine. */
const OWN_PIDS = ['--pid', '--fork', '--mount-proc', '--kill-child'];
export const canUnshare = spawnSync('unshare', [...OWN_PIDS, 'true']).status === 0;

const command = (effects: string, part: string) => ({
  tool: 'shell',
  arguments: { command: `echo "$LOOPFOLD_COMMAND ${part}" >> '${effects}'; sleep 0.5` },
});

/** Fifty runs, while workers are killed and the server crashes. */
export async function killStorm(): Promise<void> {
  const effects = join(await folder(), 'effects.txt');
  const script = {
    answers: [...['a', 'b', 'c'].map((part) => ({ calls: [command(effects, part)] })), { text: 'done' }],
  };
  const server = await startPostgres(true);
  onTestFinished(() => server.stop());
  const address = server.url('storm');
  const log = await openPostgresLog(address);
  onTestFinished(() => log.close());
  const loops = new Loops({ log, holds: null });
  const runs: string[] = [];
  for (let n = 0; n < RUNS; n += 1) runs.push((await loops.submit({ prompt: `Task ${n}` })).run);

  const workers: ChildProcess[] = [];
  const begin = async (place: number) => {
    const words = ['work', '--log', 'env:RUNS_DB', '--concurrency', '3', '-m', 'script:model.json', '--loop', 'turn'];
    workers[place] = spawn('unshare', [...OWN_PIDS, process.execPath, MAIN, ...words, '--tools', 'shell'], {
      cwd: await project(script),
      env: environment({ RUNS_DB: address }),
      stdio: 'ignore',
    });
  };
  const end = async (place: number) => {
    const worker = workers[place];
    if (!worker || worker.exitCode !== null || worker.signalCode !== null) return;
    const ended = once(worker, 'exit');
    worker.kill('SIGKILL');
    await ended;
  };
  onTestFinished(async () => void (await Promise.all(workers.map((_, place) => end(place)))));
  for (let place = 0; place < WORKERS; place += 1) await begin(place);

  const until = performance.now() + STORM_MS;
  for (let kills = 1; performance.now() < until; kills += 1) {
    await sleep(KILL_EVERY_MS);
    const place = Math.floor(Math.random() * WORKERS);
    await end(place);
    await begin(place);
    if (kills % Math.floor(STORM_MS / KILL_EVERY_MS / (SERVER_CRASHES + 1)) === 0) await server.crash();
  }

  const calm = performance.now() + CALM_MS;
  const open = async () => {
    const left = await log.submissions();
    // Three workers were lost with it, one after the other: a person has it tried again.
    for (const { run, standing } of left) if (standing === 'aside') await log.requeue(run);
    return left.length;
  };
  while ((await open()) > 0 && performance.now() < calm) await sleep(500);
  const endings = await Promise.all(runs.map(async (run) => (await log.run(run))?.closed ?? null));
  expect(endings.filter((ending) => ending !== 'success')).toEqual([]);
  for (const run of runs) expect(await log.verify(run)).toMatchObject({ kind: 'intact' });
  const marks = (await readFile(effects, 'utf8')).trim().split('\n');
  expect(new Set(marks).size).toBe(marks.length);
}
