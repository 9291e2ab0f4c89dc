import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RunTelemetry } from '../../src/app/otlp/run-telemetry.ts';
import { postSpans } from '../../src/app/otlp/send-spans.ts';
import { SpanQueue } from '../../src/app/otlp/span-queue.ts';
import { Loops } from '../../src/hosts/local/local-host.ts';
import { openSqliteLog } from '../../src/log/sqlite/engine.ts';
import { shippedLoops } from '../../src/loops/index.ts';
import type { Watch } from '../../src/runtime/own-tree.ts';
import type { RunStep } from '../../src/runtime/tree-access.ts';
import { cpuMicroseconds, type Figure, median, repeated } from './measure.ts';
import { loopsOf, turn } from './turns.ts';

const ROUNDS = 5;
/** Of a run whose model and tools do nothing. */
const EMPTY_STEPS = 2_000;
const STEPS = 400;
/** Steps whose spans are made at once. */
const AT_ONCE = 1_024;
const ROOM = { spans: 3 * EMPTY_STEPS, chars: 100_000_000 };

/** The share of the CPU of a run that goes into telling it while it works. */
export async function liveFigures(): Promise<Figure[]> {
  const empty = await repeated(ROUNDS, (folder) => liveShare(folder, emptySteps));
  const reading = await repeated(ROUNDS, (folder) => liveShare(folder, readingSteps));
  return [
    {
      name: 'telling a run that reads a file a step, of its CPU',
      value: median(reading),
      unit: '%',
      bound: { atMost: 2 },
    },
    { name: 'telling a run of empty steps, of its CPU', value: median(empty), unit: '%', bound: null },
  ];
}

type Log = ReturnType<typeof openSqliteLog>;
type Work = (log: Log, watch: Watch, folder: string) => Promise<number>;

/** Its requests are made after the run, so that nothing else is counted as theirs. */
async function liveShare(folder: string, work: Work): Promise<number> {
  // A process that is started between the run and its requests would add to what they cost.
  const collector = await started(COLLECTOR);
  const log = openSqliteLog(join(folder, 'log.db'), { synchronous: 'NORMAL' });
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
  const watch: Watch = (_facts, _deltas, all) => {
    all.subscribe((step) => {
      steps.push(step);
      if (steps.length === AT_ONCE) observe();
    });
  };
  const ran = await work(log, watch, folder);
  observe();
  const posted = await posting(queue, `${collector.address}/v1/traces`);
  collector.end();
  await log.close();
  return ((observed + posted) / ran) * 100;
}

async function posting(queue: SpanQueue, url: string): Promise<number> {
  if (queue.length < STEPS || queue.leftOut > 0) throw new Error('spans of the run are missing');
  return cpuMicroseconds(async () => {
    while (queue.length > 0) {
      const batch = queue.batch();
      const { kind } = await postSpans({ url, headers: {} }, batch);
      if (kind !== 'taken') throw new Error(`the collector did not take spans: ${kind}`);
      queue.remove(batch.length);
    }
  });
}

const emptySteps: Work = (log, watch) =>
  cpuMicroseconds(() => turn(loopsOf(log, EMPTY_STEPS), EMPTY_STEPS, undefined, watch));

/** A provider on this machine asks for another line of a file in each step, as a stream. */
async function readingSteps(log: Log, watch: Watch, folder: string): Promise<number> {
  const provider = await started(PROVIDER);
  const directory = join(folder, 'project');
  mkdirSync(directory);
  const lines = Array.from({ length: STEPS }, (_, line) => `line ${line} of the file`);
  writeFileSync(join(directory, 'file.txt'), lines.join('\n'));
  process.env['OPENAI_COMPATIBLE_BASE_URL'] = `${provider.address}/v1`;
  try {
    const loops = new Loops({ log, model: 'openai-compatible/bench', ceilings: { steps: STEPS } });
    const options = { prompt: 'Read it.', loop: 'turn', directory, maxSteps: STEPS, maxToolCalls: 'none' } as const;
    return await cpuMicroseconds(async () => {
      const end = await (await loops.start({ ...options, maxTokens: 'none' }, watch)).done;
      if (end.kind !== 'ended' || end.outcome.ending !== 'success')
        throw new Error(`the turn did not finish: ${JSON.stringify(end)}`);
    });
  } finally {
    delete process.env['OPENAI_COMPATIBLE_BASE_URL'];
    provider.end();
  }
}

async function started(program: string) {
  const child = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [address] = (await once(child.stdout, 'data')) as [Buffer];
  return { address: address.toString().trim(), end: () => child.kill() };
}

const LISTENING = `listen(0, '127.0.0.1', function () { console.log('http://127.0.0.1:' + this.address().port); })`;

const COLLECTOR = `
require('node:http').createServer((request, answer) => {
  request.resume().on('end', () => answer.end('{}'));
}).${LISTENING};
`;

const PROVIDER = `
let step = 0;
require('node:http').createServer((request, answer) => {
  request.resume().on('end', () => {
    step += 1;
    const given = JSON.stringify({ path: 'file.txt', startLine: step, endLine: step });
    const call = { index: 0, id: 'call-' + step, type: 'function', function: { name: 'read', arguments: given } };
    const isLast = step === ${STEPS};
    const delta = isLast ? { role: 'assistant', content: 'Done.' } : { role: 'assistant', tool_calls: [call] };
    const of = { id: 'answer-' + step, object: 'chat.completion.chunk', created: 1, model: 'bench' };
    const chunks = [
      { ...of, choices: [{ index: 0, delta, finish_reason: null }] },
      { ...of, choices: [{ index: 0, delta: {}, finish_reason: isLast ? 'stop' : 'tool_calls' }] },
      { ...of, choices: [], usage: { prompt_tokens: 1000, completion_tokens: 20, total_tokens: 1020 } },
    ];
    answer.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const chunk of chunks) answer.write('data: ' + JSON.stringify(chunk) + '\\n\\n');
    answer.end('data: [DONE]\\n\\n');
  });
}).${LISTENING};
`;
