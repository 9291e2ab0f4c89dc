import { setImmediate as soon } from 'node:timers/promises';
import { v7 as uuidv7 } from 'uuid';
import { expect, onTestFinished, test } from 'vitest';
import type { LoopEvent } from '../../../machines/events.ts';
import { scriptedModel } from '../../../src/actors/model/model-script.ts';
import type { Script } from '../../../src/actors/model/script.ts';
import { FleetWorker, type WorkerNews } from '../../../src/hosts/fleet/fleet-workers.ts';
import { MAX_CRASHES } from '../../../src/hosts/fleet/settle-run.ts';
import { optionsOf } from '../../../src/hosts/fleet/worker-options.ts';
import { Loops } from '../../../src/hosts/local/local-host.ts';
import { LEASE_TTL_MS } from '../../../src/log/lease-store.ts';
import type { Log } from '../../../src/log/log.ts';
import { memoryLog } from '../../../src/log/sqlite/engine.ts';
import { elsewhere } from '../../../src/testing/log-contract/contract.ts';
import { temporaryFolder } from '../../git/repository.ts';

const ASKS: Script = {
  answers: [{ calls: [{ tool: 'ask_user', arguments: { question: 'Which one?' } }] }, { text: 'That one.' }],
};
const OWN = { loop: 'turn', tools: ['ask_user', 'shell'] };

/** Works on one log as several workers of one process, and keeps what each tells. */
async function fleet(script: Script, log: Log = memoryLog()) {
  const directory = await temporaryFolder();
  const news: WorkerNews[] = [];
  const heard = new Set<() => void>();
  const loops = () => new Loops({ log, model: scriptedModel(script), holds: null, warn: () => {} });
  const worker = (concurrency = 1) => {
    const made = new FleetWorker(loops(), {
      run: { ...OWN, directory },
      concurrency,
      leaveAfterMs: 0,
      told: (one) => {
        news.push(one);
        for (const hear of heard) hear();
      },
    });
    const working = made.work();
    onTestFinished(async () => {
      await made.drain();
      await working;
    });
    return { drain: () => made.drain(), working };
  };
  /** Resolves once some news is told, also before it was asked for. */
  const told = async (isMeant: (one: WorkerNews) => boolean) => {
    while (!news.some(isMeant)) {
      const { promise, resolve } = Promise.withResolvers<void>();
      heard.add(resolve);
      await promise;
      heard.delete(resolve);
    }
  };
  const settled = (run: string, standing: string) =>
    told((one) => one.kind === 'settled' && one.run === run && one.settled.standing === standing);
  return { log, loops: loops(), worker, news, told, settled };
}

async function factsOf(log: Log, run: string): Promise<readonly LoopEvent[]> {
  const facts: LoopEvent[] = [];
  for await (const page of log.pages(run)) facts.push(...(page as unknown as LoopEvent[]));
  return facts;
}

test('H3 what is submitted is carried out once, by the options of a worker, under the id it was given', async () => {
  const { log, loops, worker, settled } = await fleet({ answers: [{ text: 'done' }] });
  const id = uuidv7();
  const { run } = await loops.submit({ prompt: 'Do it.', maxSteps: 3 }, id);
  expect(run).toBe(id);
  expect(await loops.submit({ prompt: 'Do it.', maxSteps: 3 }, id)).toEqual({ run, isNew: false });
  for (const one of [worker(), worker()]) void one;
  await settled(run, 'over');
  expect(await loops.submit({ prompt: 'Do it.' }, id)).toEqual({ run, isNew: false });
  expect(await log.run(run)).toMatchObject({ closed: 'success' });
  const [started] = await factsOf(log, run);
  expect(started).toMatchObject({ payload: { settings: { prompt: 'Do it.', limits: { maxSteps: 3 }, loop: 'turn' } } });
  expect(await log.runs()).toHaveLength(1);
});

test('H3 a run that waits for a person leaves its worker, and any worker resumes it on the answer', async () => {
  const { log, loops, worker, settled } = await fleet(ASKS);
  const { run } = await loops.submit({ prompt: 'Ask me.' });
  const first = worker();
  await settled(run, 'waits');
  await first.drain();
  await first.working;
  await loops.answer(run, { text: 'blue' });
  worker();
  await settled(run, 'over');
  expect(await log.run(run)).toMatchObject({ closed: 'success' });
});

test('H3 a worker that drains claims no more, and pauses what it works on', async () => {
  const slow: Script = { answers: [{ text: 'done', delayMs: 60_000 }] };
  const { log, loops, worker, told, settled } = await fleet(slow);
  const [first, second] = [await loops.submit({ prompt: 'One.' }), await loops.submit({ prompt: 'Two.' })];
  const one = worker();
  await told(({ kind }) => kind === 'begun');
  await one.drain();
  await one.working;
  await settled(first.run, 'due');
  expect((await factsOf(log, first.run)).at(-1)).toMatchObject({ type: 'run.paused', payload: { by: 'signal' } });
  expect(await log.holder(first.run)).toBeNull();
  expect(await log.run(second.run)).toBeNull();
});

test('H3 a run whose person has paused it is left alone until it is handed back', async () => {
  const { log, loops, worker, told, settled } = await fleet({ answers: [{ text: 'done', delayMs: 500 }] });
  const { run } = await loops.submit({ prompt: 'Wait.' });
  worker();
  await told(({ kind }) => kind === 'begun');
  await loops.pause(run);
  await settled(run, 'paused');
  expect(await log.requeue(run)).toBe(true);
  await settled(run, 'over');
});

test('H3 a lost worker of another machine is succeeded by its epoch; the third loss sets a run aside', async () => {
  let now = Date.parse('2026-03-01T12:00:00Z');
  const log = memoryLog({ now: () => now });
  const { loops, worker, settled } = await fleet({ answers: [{ text: 'done' }] }, log);
  const [lost, unlucky] = [await loops.submit({ prompt: 'One.' }), await loops.submit({ prompt: 'Two.' })];
  const claimed = await log.claim({ by: elsewhere('lost'), except: [unlucky.run] });
  expect(claimed?.submission.run).toBe(lost.run);
  for (let crash = 0; crash < MAX_CRASHES; crash += 1) {
    await log.claim({ by: elsewhere(`unlucky${crash}`), except: [lost.run] });
    now += LEASE_TTL_MS;
  }
  worker();
  await settled(lost.run, 'over');
  await settled(unlucky.run, 'aside');
  expect(await log.run(unlucky.run)).toBeNull();
  expect(await log.submission(unlucky.run)).toMatchObject({ because: expect.stringContaining('3 workers were lost') });
});

test('H3 a task that no run can be made of is set aside, with the reason', async () => {
  const { log, loops, worker, settled } = await fleet({ answers: [{ text: 'done' }] });
  const { run } = await loops.submit({ prompt: 'x', labels: ['no-such-label'] });
  worker();
  await settled(run, 'aside');
  expect(await log.submission(run)).toMatchObject({ because: expect.stringContaining('label') });
  const odd = { prompt: 'x', checks: ['rm -rf /'] };
  await expect(loops.submit(odd)).rejects.toThrow(/checks/);
  await soon();
});

test('H3 a submission chooses its task, its labels and smaller caps, and nothing else of a worker', () => {
  const own = { loop: 'turn', checks: ['npm test'], maxSteps: 10, maxTime: '5m', maxCost: 1, labels: ['a'] };
  expect(
    optionsOf(own, { prompt: 'p', maxSteps: 5, maxTime: '1h', maxCost: '0.5', maxTokens: 7, labels: ['b'] }),
  ).toEqual({ ...own, prompt: 'p', maxSteps: 5, maxTime: '5m', maxCost: '0.5', maxTokens: 7, labels: ['a', 'b'] });
  expect(optionsOf({ ...own, maxSteps: 'none' }, { prompt: 'p', maxSteps: 5 })).toMatchObject({ maxSteps: 5 });
  for (const more of [{ checks: ['true'] }, { directory: '/' }, { agent: 'x' }, { environment: ['KEY'] }])
    expect(() => optionsOf(own, { prompt: 'p', ...more })).toThrow(Object.keys(more)[0]);
});
