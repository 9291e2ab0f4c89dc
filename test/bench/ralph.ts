import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { scriptedModel } from '../../src/actors/model/model-script.ts';
import { Loops } from '../../src/hosts/local/local-host.ts';
import type { Log } from '../../src/log/log.ts';
import { memoryLog, openSqliteLog } from '../../src/log/sqlite/engine.ts';
import { type Figure, median, repeated } from './measure.ts';

const ITERATIONS = 100;
const FILES = 20;
/** The first ones find caches empty. */
const COLD_ITERATIONS = 10;
/**
 * V8 goes on compiling for about a thousand iterations: its threads take 2 ms of each of the first hundred, and 0.3 of
 * the thirteenth; the loop itself becomes faster by a fifth. So rounds are run until a window of them takes no less
 * than the one before: only then is the process warm.
 */
const WINDOW_ROUNDS = 5;
const MAX_ROUNDS = 40;

/**
 * What an iteration costs whose attempt only says that it is not done, in all CPU time of the process of the loop: its
 * threads and its starts of git count.
 */
export async function ralphFigures(): Promise<Figure[]> {
  const inMemory = await cpuOfAnIteration(() => memoryLog());
  const durable = await cpuOfAnIteration((folder) => openSqliteLog(join(folder, 'log.db')));
  return [
    { name: 'CPU of an empty Ralph iteration', value: durable, unit: 'ms', bound: { atMost: 10 }, absolute: true },
    { name: 'the same without a durable log', value: inMemory, unit: 'ms', bound: null },
  ];
}

/** Of the last two windows the lower one: what else this machine does can only add to it. */
async function cpuOfAnIteration(openLog: (folder: string) => Log): Promise<number> {
  let rounds: readonly number[] = [];
  for (;;) {
    rounds = [...rounds, ...(await repeated(WINDOW_ROUNDS, (folder) => cpuOfARound(folder, openLog)))];
    const last = median(rounds.slice(-WINDOW_ROUNDS));
    const before = median(rounds.slice(-2 * WINDOW_ROUNDS, -WINDOW_ROUNDS));
    const isFirst = rounds.length === WINDOW_ROUNDS;
    if (!isFirst && (last >= before || rounds.length >= MAX_ROUNDS)) return Math.min(last, before);
  }
}

async function cpuOfARound(folder: string, openLog: (folder: string) => Log): Promise<number> {
  const log = openLog(folder);
  try {
    return await cpuOfARun(log, await repository(join(folder, 'work')));
  } finally {
    await log.close();
  }
}

/** A run's start and end are no iterations: the time is taken from one attempt to a later one. */
async function cpuOfARun(log: Log, directory: string): Promise<number> {
  let attempts = 0;
  let before = process.cpuUsage();
  let spent: NodeJS.CpuUsage | null = null;
  const model = scriptedModel(() => {
    attempts += 1;
    if (attempts === COLD_ITERATIONS) before = process.cpuUsage();
    if (attempts === ITERATIONS) spent = process.cpuUsage(before);
    return { text: `Not yet: ${attempts}.` };
  });
  const live = await new Loops({ log, model }).start({
    prompt: 'Wait.',
    labels: [`ralph-wiggum-${ITERATIONS}`],
    directory,
    tools: [],
    detectors: ['identical-calls'],
  });
  const end = await live.done;
  if (end.kind !== 'ended' || end.outcome.ending !== 'cap_hit') throw new Error(JSON.stringify(end));
  const { user, system } = spent ?? { user: NaN, system: NaN };
  return (user + system) / 1_000 / (ITERATIONS - COLD_ITERATIONS);
}

/** With a commit, as projects have one: git then has an index to compare the files with. */
async function repository(directory: string): Promise<string> {
  mkdirSync(directory);
  const git = execa({ cwd: directory });
  await git`git init --quiet`;
  writeFileSync(join(directory, '.gitignore'), '.claude\n');
  for (let file = 0; file < FILES; file += 1) writeFileSync(join(directory, `file-${file}`), `${file}\n`);
  await git`git add --all`;
  await git`git -c user.name=Ada -c user.email=ada@example.org commit --quiet --no-verify --message=start`;
  return directory;
}
