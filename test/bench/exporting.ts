import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { otlpText } from '../../src/app/otlp/otlp-json.ts';
import { RunTelemetry } from '../../src/app/otlp/run-telemetry.ts';
import { postSpans } from '../../src/app/otlp/send-spans.ts';
import { SpanQueue } from '../../src/app/otlp/span-queue.ts';
import type { Log } from '../../src/log/log.ts';
import { openSqliteLog } from '../../src/log/sqlite/engine.ts';
import type { RunStep } from '../../src/runtime/tree-access.ts';
import { shippedLoops } from '../../src/loops/index.ts';
import { cpuMicroseconds, type Figure, median, repeated } from './measure.ts';
import { loopsOf, turn } from './turns.ts';

const STEPS = 2_000;
const EVENTS_PER_STEP = 5;
const ROUNDS = 5;
const MICROSECONDS = 1e6;

/** Steps whose spans are made at once. */
const AT_ONCE = 1_024;
const ROOM = { spans: 3 * STEPS, chars: 100_000_000 };

/** The cost of a trace of a long run, and the share of what a run costs that it takes to tell it while it works. */
export async function exportFigures(): Promise<Figure[]> {
  const rounds = await repeated(ROUNDS, (folder) => exported(join(folder, 'log.db')));
  const shares = await repeated(ROUNDS, (folder) => liveShare(join(folder, 'log.db')));
  return [
    {
      name: `trace of ${STEPS * EVENTS_PER_STEP} events`,
      value: median(rounds) / MICROSECONDS,
      unit: 'CPU s',
      bound: { atMost: 1 },
      absolute: true,
    },
    { name: 'telling a run while it works, of its CPU', value: median(shares), unit: '%', bound: { atMost: 2 } },
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

/**
 * The percentage of the CPU time of one run that goes into its spans and their requests. The collector is a process of
 * its own; the requests are made after the run, so that nothing else is counted as theirs.
 */
async function liveShare(path: string): Promise<number> {
  const log = openSqliteLog(path, { synchronous: 'NORMAL' });
  const telemetry = new RunTelemetry({ log, definitions: shippedLoops }, false);
  const queue = new SpanQueue(ROOM);
  let [observed, steps]: [number, RunStep[]] = [0, []];
  const observe = () => {
    const before = process.threadCpuUsage();
    for (const step of steps) telemetry.observe(step);
    steps = [];
    queue.add(telemetry.take());
    const { user, system } = process.threadCpuUsage(before);
    observed += user + system;
  };
  const ran = await cpuMicroseconds(() =>
    turn(loopsOf(log, STEPS), STEPS, undefined, (_facts, _deltas, all) => {
      all.subscribe((step) => {
        steps.push(step);
        if (steps.length === AT_ONCE) observe();
      });
    }),
  );
  observe();
  const posted = await posting(queue);
  await log.close();
  return ((observed + posted) / ran) * 100;
}

async function posting(queue: SpanQueue): Promise<number> {
  const collector = spawn(process.execPath, ['-e', COLLECTOR], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [address] = (await once(collector.stdout, 'data')) as [Buffer];
  const to = { url: `${address.toString().trim()}/v1/traces`, headers: {} };
  if (queue.length < STEPS || queue.leftOut > 0) throw new Error('spans of the run are missing');
  const cost = await cpuMicroseconds(async () => {
    while (queue.length > 0) {
      const batch = queue.batch();
      const { kind } = await postSpans(to, batch);
      if (kind !== 'taken') throw new Error(`the collector did not take spans: ${kind}`);
      queue.remove(batch.length);
    }
  });
  collector.kill();
  return cost;
}

const COLLECTOR = `
const server = require('node:http').createServer((request, answer) => {
  request.resume().on('end', () => answer.end('{}'));
});
server.listen(0, '127.0.0.1', () => console.log('http://127.0.0.1:' + server.address().port));
`;
