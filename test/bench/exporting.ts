import { join } from 'node:path';
import { otlpText } from '../../src/app/otlp/otlp-json.ts';
import { RunTelemetry } from '../../src/app/otlp/run-telemetry.ts';
import type { Log } from '../../src/log/log.ts';
import { openSqliteLog } from '../../src/log/sqlite/engine.ts';
import { shippedLoops } from '../../src/loops/index.ts';
import { liveFigures } from './live-export.ts';
import { cpuMicroseconds, type Figure, median, repeated } from './measure.ts';
import { loopsOf, turn } from './turns.ts';

const STEPS = 2_000;
const EVENTS_PER_STEP = 5;
const ROUNDS = 5;
const MICROSECONDS = 1e6;

/** The cost of a trace of a long run, and the share of what a run costs that it takes to tell it while it works. */
export async function exportFigures(): Promise<Figure[]> {
  const rounds = await repeated(ROUNDS, (folder) => exported(join(folder, 'log.db')));
  return [
    {
      name: `trace of ${STEPS * EVENTS_PER_STEP} events`,
      value: median(rounds) / MICROSECONDS,
      unit: 'CPU s',
      bound: { atMost: 1 },
      absolute: true,
    },
    ...(await liveFigures()),
  ];
}

async function exported(path: string): Promise<number> {
  const log = openSqliteLog(path, { synchronous: 'NORMAL' });
  const run = await turn(loopsOf(log, STEPS), STEPS);
  const texts: string[] = [];
  const traced = await cpuMicroseconds(async () => {
    texts.push(await traceOf(log, run));
  });
  texts.push(await traceOf(log, run));
  await log.close();
  if (texts[0] !== texts[1]) throw new Error('two traces of one run differ');
  return traced;
}

async function traceOf(log: Log, run: string): Promise<string> {
  const record = await log.run(run);
  if (!record) throw new Error(`the log has no run ${run}`);
  return otlpText(await new RunTelemetry({ log, definitions: shippedLoops }, false).advance(record));
}
