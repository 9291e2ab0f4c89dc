import childProcess from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { scriptedModel } from '../../src/actors/model/scripted-model.ts';
import { Loops } from '../../src/hosts/local/loops.ts';
import { memoryLog } from '../../src/log/memory/engine.ts';
import { type Figure, median } from './measure.ts';

const ITERATIONS = 40;
const ROUNDS = 5;

/** What an iteration costs whose attempt only says that it is not done, in CPU time of the process of the loop. */
export async function ralphFigures(): Promise<Figure[]> {
  const rounds: { readonly loop: number; readonly git: number }[] = [];
  countStarts();
  // The first round warms the process.
  for (let round = 0; round <= ROUNDS; round += 1) {
    const spent = await cpuOfARun();
    if (round > 0) rounds.push(spent);
  }
  const of = (pick: (round: (typeof rounds)[number]) => number) => median(rounds.map(pick)) / ITERATIONS;
  return [
    {
      name: 'CPU of an empty Ralph iteration, git apart',
      value: of(({ loop, git }) => loop - git),
      unit: 'ms',
      bound: { atMost: 10 },
      absolute: true,
    },
    { name: 'CPU of starting git for its capture', value: of(({ git }) => git), unit: 'ms', bound: null },
  ];
}

/** CPU milliseconds so far of starting processes: every loop that captures pays for that. */
let startingMs = 0;

function countStarts(): void {
  const { spawn } = childProcess;
  const counted = (...args: Parameters<typeof spawn>) => {
    const before = process.cpuUsage();
    const child = spawn(...args);
    startingMs += msSince(before);
    return child;
  };
  Object.assign(childProcess, { spawn: counted });
  syncBuiltinESMExports();
}

function msSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

async function cpuOfARun(): Promise<{ readonly loop: number; readonly git: number }> {
  const directory = mkdtempSync(join(tmpdir(), 'loopfold-ralph-'));
  try {
    await execa('git', ['init', '--quiet'], { cwd: directory });
    const attempts = Array.from({ length: ITERATIONS }, (_, index) => ({ answers: [{ text: `Not yet: ${index}.` }] }));
    const loops = new Loops({ log: memoryLog(), model: scriptedModel({ attempts }) });
    const [before, startedMs] = [process.cpuUsage(), startingMs];
    const live = await loops.start({
      prompt: 'Wait.',
      labels: [`ralph-wiggum-${ITERATIONS}`],
      directory,
      tools: [],
      detectors: ['identical-calls'],
    });
    const end = await live.done;
    if (end.kind !== 'ended' || end.outcome.ending !== 'cap_hit') throw new Error(JSON.stringify(end));
    return { loop: msSince(before), git: startingMs - startedMs };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
