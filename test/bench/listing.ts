import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { openSqliteLog } from '../../src/log/sqlite/engine.ts';
import { installedIn, userEnvironment } from '../package/installed.ts';
import { type Figure, median, repeated } from './measure.ts';
import { loopsOf, turn } from './turns.ts';
import { waitingStore } from './waiting-store.ts';

const RUNS = 10_000;
const EVENTS = 50_000;
const EVENTS_PER_STEP = 5;
const REPEATS = 5;

/** What the installed program costs, from its start to its end, where a log has many runs or a long one. */
export async function listingFigures(): Promise<Figure[]> {
  const [figures = []] = await repeated(1, (home) => measure(home));
  return figures;
}

async function measure(home: string): Promise<Figure[]> {
  const { folder } = await installedIn(home);
  const bin = join(folder, 'node_modules', 'loopfold', 'src', 'cli', 'bin.mjs');
  const [many, long] = [join(home, 'many'), join(home, 'long')];
  for (const place of [many, long]) mkdirSync(join(place, '.loopfold'), { recursive: true });
  await waitingStore(join(many, '.loopfold', 'log.db'), many, RUNS);
  const log = openSqliteLog(join(long, '.loopfold', 'log.db'), { synchronous: 'NORMAL' });
  const run = await turn(loopsOf(log, EVENTS / EVENTS_PER_STEP), EVENTS / EVENTS_PER_STEP);
  await log.close();
  const seconds = (words: readonly string[], place: string) => medianSeconds([bin, ...words], place);
  const runs = await seconds(['runs', '--limit', '20'], many);
  const inbox = await seconds(['inbox', '--limit', '20'], many);
  return [
    figure(`runs --limit 20 of ${RUNS}`, runs, 0.5),
    figure('runs --limit 1000', await seconds(['runs', '--limit', '1000'], many), 2),
    figure('inbox --limit 20', inbox, 0.5),
    { name: 'that, of runs --limit 20', value: inbox / runs, unit: '×', bound: { atMost: 1.5 } },
    figure(`show of ${EVENTS} events`, await seconds(['show', run], long), 1),
  ];
}

const figure = (name: string, value: number, atMost: number): Figure => ({
  name,
  value,
  unit: 'CPU s',
  bound: { atMost },
  absolute: true,
});

async function medianSeconds(words: readonly string[], place: string): Promise<number> {
  const seconds: number[] = [];
  // The first fills Node's compile cache.
  for (let n = 0; n <= REPEATS; n += 1) seconds.push(await cpuSeconds(words, place));
  return median(seconds.slice(1));
}

/** The CPU time of a process, user and system together, as it says at its end. */
async function cpuSeconds(words: readonly string[], place: string): Promise<number> {
  const child = spawn(process.execPath, ['--import', REPORT, ...words], {
    cwd: place,
    env: userEnvironment(),
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const report = child.stdio[3];
  if (!report || !('setEncoding' in report)) throw new Error('the process has no place to report to');
  const said = once(report, 'data') as Promise<[Buffer]>;
  const [status] = (await once(child, 'exit')) as [number | null];
  if (status !== 0) throw new Error(`${words.join(' ')}: ${status}`);
  return Number((await said).toString()) / 1e6;
}

const REPORT = `data:text/javascript,${encodeURIComponent(`
import { writeSync } from 'node:fs';
process.on('exit', () => {
  const { user, system } = process.cpuUsage();
  writeSync(3, String(user + system));
});
`)}`;
