import { join } from 'node:path';
import { openSqliteLog } from '../../src/log/sqlite/engine.ts';
import { builtInNames, type OtherJudge } from '../../src/redecide/other-judge.ts';
import { redecide } from '../../src/redecide/redecide-run.ts';
import { redecideTree } from '../../src/redecide/redecide-tree.ts';
import type { Fact } from '../../src/kernel/effect-handlers.ts';
import { factsOf } from '../redecide/recorded.ts';
import { cpuMicroseconds, type Figure, median, repeated } from './measure.ts';
import { loopsOf, turn } from './turns.ts';

const RUNS = 1_000;
const EVENTS = 200;
const EVENTS_PER_STEP = 5;
/** Recorded once each; a run more is the same facts under the same judge. */
const RECORDED = 20;
const REPEATS = 3;

/** What it takes to let another judge decide over a thousand runs of two hundred events. */
export async function redecideFigures(): Promise<Figure[]> {
  const [figures = []] = await repeated(1, (folder) => measure(join(folder, 'log.db')));
  return figures;
}

async function measure(path: string): Promise<Figure[]> {
  const log = openSqliteLog(path, { synchronous: 'NORMAL' });
  const steps = EVENTS / EVENTS_PER_STEP;
  const loops = loopsOf(log, steps);
  const runs: string[] = [];
  for (let n = 0; n < RECORDED; n += 1) runs.push(await turn(loops, steps));
  const told = await Promise.all(runs.map((run) => factsOf(log, run)));
  const another: OtherJudge = { detectors: ['default'], limits: { maxSteps: 1_000 } };
  const names = builtInNames();
  const fromFacts = await perSecond(RUNS, async (n) => {
    const facts: readonly Fact[] = told[n % RECORDED] ?? [];
    await redecide(facts, another, names);
    return facts.length;
  });
  const fromLog = await perSecond(RECORDED * 5, async (n) => {
    const tree = await redecideTree(log, runs[n % RECORDED] ?? '', another, names);
    return told[n % RECORDED]?.length ?? tree.judgements;
  });
  await log.close();
  return [
    {
      name: `redecide over ${RUNS} runs of ${EVENTS} events`,
      value: fromFacts,
      unit: 'events/CPU s',
      bound: { atLeast: 100_000 },
      absolute: true,
    },
    {
      name: 'the same from the log, each run’s chain checked',
      value: fromLog,
      unit: 'events/CPU s',
      bound: { atLeast: 10_000 },
      absolute: true,
    },
  ];
}

async function perSecond(times: number, judge: (n: number) => Promise<number>): Promise<number> {
  await judge(0);
  const rates: number[] = [];
  for (let round = 0; round < REPEATS; round += 1) {
    let events = 0;
    const microseconds = await cpuMicroseconds(async () => {
      for (let n = 0; n < times; n += 1) events += await judge(n);
    });
    rates.push((events / microseconds) * 1e6);
  }
  return median(rates);
}
