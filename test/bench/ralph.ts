import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { scriptedModel } from '../../src/actors/model/scripted-model.ts';
import { Loops } from '../../src/hosts/local/loops.ts';
import type { Log } from '../../src/log/log.ts';
import { memoryLog } from '../../src/log/memory/engine.ts';
import { openSqliteLog } from '../../src/log/sqlite/engine.ts';
import { type Figure, median, repeated } from './measure.ts';

const ITERATIONS = 100;
const ROUNDS = 5;
const FILES = 20;
/** The first ones find caches empty, and the first round code that was not compiled. */
const COLD_ITERATIONS = 10;
const COLD_ROUNDS = 2;

/**
 * What an iteration costs whose attempt only says that it is not done, in all CPU time of the process of the loop: its
 * threads and its starts of git count.
 */
export async function ralphFigures(): Promise<Figure[]> {
  const durable = await cpuOfAnIteration((folder) => openSqliteLog(join(folder, 'log.db')));
  const inMemory = await cpuOfAnIteration(() => memoryLog());
  return [
    { name: 'CPU of an empty Ralph iteration', value: durable, unit: 'ms', bound: { atMost: 10 }, absolute: true },
    { name: 'the same without a durable log', value: inMemory, unit: 'ms', bound: null },
  ];
}

async function cpuOfAnIteration(openLog: (folder: string) => Log): Promise<number> {
  const rounds = await repeated(COLD_ROUNDS + ROUNDS, async (folder) => {
    const log = openLog(folder);
    try {
      return await cpuOfARun(log, await repository(join(folder, 'work')));
    } finally {
      await log.close();
    }
  });
  return median(rounds.slice(COLD_ROUNDS));
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
