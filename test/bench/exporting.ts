import { join } from 'node:path';
import type { OtlpSpan } from '../../src/app/otlp/otlp-json.ts';
import { RunTelemetry } from '../../src/app/otlp/run-telemetry.ts';
import { otlpText } from '../../src/app/otlp/send-spans.ts';
import type { Log } from '../../src/log/log.ts';
import { openSqliteLog } from '../../src/log/sqlite/engine.ts';
import { shippedLoops } from '../../src/loops/index.ts';
import { cpuMicroseconds, type Figure, median, repeated } from './measure.ts';
import { loopsOf, turn } from './turns.ts';

const STEPS = 2_000;
const EVENTS_PER_STEP = 5;
const ROUNDS = 5;
/** Spans of one request, as they are sent. */
const PIECE = 512;
const MICROSECONDS = 1e6;

/** What a trace of a long run costs, and its share of what the run itself has cost. */
export async function exportFigures(): Promise<Figure[]> {
  const rounds = await repeated(ROUNDS, (folder) => measure(join(folder, 'log.db')));
  const events = STEPS * EVENTS_PER_STEP;
  return [
    {
      name: `trace of ${events} events`,
      value: median(rounds.map(({ traced }) => traced / MICROSECONDS)),
      unit: 'CPU s',
      bound: { atMost: 1 },
      absolute: true,
    },
    {
      name: 'that, of the CPU time of the run itself',
      value: median(rounds.map(({ traced, ran }) => (traced / ran) * 100)),
      unit: '%',
      bound: { atMost: 2 },
    },
  ];
}

async function measure(path: string): Promise<{ readonly ran: number; readonly traced: number }> {
  const log = openSqliteLog(path, { synchronous: 'NORMAL' });
  let run = '';
  const ran = await cpuMicroseconds(async () => {
    run = await turn(loopsOf(log, STEPS), STEPS);
  });
  const texts: string[] = [];
  const traced = await cpuMicroseconds(async () => {
    texts.push(await traceOf(log, run));
  });
  texts.push(await traceOf(log, run));
  await log.close();
  if (texts[0] !== texts[1]) throw new Error('two traces of one run differ');
  return { ran, traced };
}

async function traceOf(log: Log, run: string): Promise<string> {
  const record = await log.run(run);
  if (!record) throw new Error(`the log has no run ${run}`);
  const spans: readonly OtlpSpan[] = await new RunTelemetry(
    { log, definitions: shippedLoops },
    record,
    false,
  ).advance();
  const pieces = Math.ceil(spans.length / PIECE);
  return Array.from({ length: pieces }, (_, at) => otlpText(spans.slice(at * PIECE, (at + 1) * PIECE))).join('\n');
}
