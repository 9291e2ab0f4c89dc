import { join } from 'node:path';
import { v7 as uuid } from 'uuid';
import { LabLine } from '../../src/app/views/lab-view.ts';
import { httpHandler } from '../../src/http/http-handler.ts';
import type { NewEvent } from '../../src/log/envelope.ts';
import type { Log } from '../../src/log/log.ts';
import { openSqliteLog } from '../../src/log/sqlite/engine.ts';
import { appended, take } from '../../src/testing/log-contract/contract.ts';
import { type Figure, median, repeated } from './measure.ts';
import { loopsOf, turn } from './turns.ts';

const RUNS = 100;
const STEPS = 200;
const ROUNDS = 5;
const OTHER = { maxSteps: STEPS / 2, detectors: ['strict'] };

/** How soon a page is told what another judge would have decided over a hundred runs of a thousand events. */
export async function labFigures(): Promise<Figure[]> {
  const [figures = []] = await repeated(1, (folder) => measure(join(folder, 'log.db')));
  return figures;
}

async function measure(path: string): Promise<Figure[]> {
  const log = openSqliteLog(path, { synchronous: 'NORMAL' });
  const loops = loopsOf(log, STEPS);
  await copied(log, await turn(loops, STEPS), RUNS - 1);
  const server = served(loops);
  // The page asks the judge of today first.
  const cold = await asked(server, {});
  const rounds = [];
  for (let round = 0; round < ROUNDS; round += 1) rounds.push(await asked(server, OTHER));
  await log.close();
  return [
    figure('first result, by the judge of today, from a cold start', cold.firstMs, 300),
    figure(`all of ${RUNS} runs, by the judge of today, from a cold start`, cold.allMs, 2_000),
    figure('first result, by another judge', median(rounds.map(({ firstMs }) => firstMs)), 300),
    figure(`all of ${RUNS} runs, by another judge with all detectors`, median(rounds.map(({ allMs }) => allMs)), 2_000),
  ];
}

/** Records a run again, under other ids: to let each of them work would take minutes. */
async function copied(log: Log, run: string, times: number): Promise<void> {
  const record = await log.run(run);
  const events: NewEvent[] = [];
  for await (const { type, schema, payload, at, causation, mark } of log.read(run))
    events.push({ type, schema, payload, at, causation, mark });
  for (let n = 0; n < times; n += 1) {
    const copy = uuid();
    const lease = await take(log, copy);
    const { epoch } = lease;
    await appended(log.append({ run: copy, events, expectedVersion: 0, epoch, closes: record?.closed ?? 'success' }));
    await log.release(lease);
  }
}

const served = (loops: ReturnType<typeof loopsOf>) =>
  httpHandler({ loops, readOnly: true, identify: () => ({ name: 'bench', email: null, isKnown: true }) });

async function asked({ fetch }: ReturnType<typeof httpHandler>, judge: object) {
  const body = JSON.stringify({ judges: [judge], limit: RUNS });
  const headers = { 'content-type': 'application/json', authorization: 'Bearer bench' };
  const start = performance.now();
  const response = await fetch(new Request('http://localhost/api/lab', { method: 'POST', headers, body }));
  let firstMs = Number.NaN;
  let text = '';
  const decoder = new TextDecoder();
  for await (const bytes of response.body ?? []) {
    text += decoder.decode(bytes, { stream: true });
    if (Number.isNaN(firstMs) && text.includes('"judged"')) firstMs = performance.now() - start;
  }
  const allMs = performance.now() - start;
  const last = LabLine.parse(JSON.parse(text.trimEnd().split('\n').at(-1)?.slice('data: '.length) ?? 'null'));
  if (last.kind !== 'tally' || last.runs !== RUNS) throw new Error(`not all were judged: ${JSON.stringify(last)}`);
  return { firstMs, allMs };
}

const figure = (name: string, value: number, atMost: number): Figure => ({
  name,
  value,
  unit: 'ms',
  bound: { atMost },
  absolute: true,
});
