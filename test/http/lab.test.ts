import { expect, test } from 'vitest';
import { LabLine } from '../../src/app/views/lab-view.ts';
import type { Log } from '../../src/log/log.ts';
import { memoryLog } from '../../src/log/sqlite/engine.ts';
import { answered, eventsIn, served } from './served.ts';

const call = (step: number) => ({ tool: 'ask_user', arguments: { question: `Which ${step}?`, choices: [] } });
const SAYING = { answers: [{ text: 'It is done.' }] };

/** A server, and what its lab says. */
async function lab(script: Parameters<typeof served>[0] = SAYING, log: Log = memoryLog()) {
  const server = await served(script, {}, { log });
  const asked = async (body: unknown) => {
    const events = await eventsIn(await server.post('/api/lab', body));
    return LabLine.array().parse(events.map(({ data }) => data));
  };
  return { ...server, asked };
}

const of = <Kind extends LabLine['kind']>(lines: readonly LabLine[], kind: Kind) =>
  lines.filter((line): line is Extract<LabLine, { kind: Kind }> => line.kind === kind);

test('W2 the lab says of each run and each judge what the run alone says, and sums it up', async () => {
  const { asked, start, post } = await lab({ answers: [{ calls: [call(1)] }, { text: 'done' }] });
  const ended: string[] = [];
  for (let n = 0; n < 3; n += 1) {
    const live = await start();
    await live.abort('enough');
    await live.done;
    ended.push(live.run);
  }
  const judges = [{}, { maxSteps: 1 }, { detectors: ['off'] }];
  const lines = await asked({ judges });
  const judged = of(lines, 'judged');
  expect(judged.map(({ judge, run }) => [run, judge])).toEqual(
    ended.toReversed().flatMap((run) => judges.map((_, judge) => [run, judge])),
  );
  for (const { judge, run, conclusion, judgements, agreeing, turn } of judged) {
    const alone = await answered(await post(`/api/runs/${run}/redecide`, judges[judge]));
    expect(alone).toMatchObject({ conclusion, judgements, agreeing, turn });
  }
  for (const { judge, runs, judgements, conclusions } of of(lines, 'tally')) {
    const its = judged.filter((line) => line.judge === judge);
    expect([runs, judgements]).toEqual([its.length, its.reduce((sum, line) => sum + line.judgements, 0)]);
    expect(Object.values(conclusions).reduce((sum, count) => sum + count, 0)).toBe(runs);
  }
  expect(of(lines, 'tally')).toHaveLength(judges.length);
});

test('W2 a body that is no JSON is refused as such, and is no bug of the server', async () => {
  const { post, told } = await served(SAYING);
  for (const path of ['/api/lab', '/api/runs']) {
    const refused = await post(path, '{"judges": [');
    expect([refused.status, await answered(refused)]).toEqual([
      400,
      { code: 'request', message: expect.stringContaining('JSON') },
    ]);
  }
  expect(told).toEqual([]);
});

test('W2 the lab judges the runs that are named, and leaves out those it cannot judge, with the reason', async () => {
  const { asked, start } = await lab();
  const [one, two] = [await start(), await start()];
  await Promise.all([one.done, two.done]);
  const named = await asked({ judges: [{}], runs: [two.run] });
  expect(of(named, 'judged').map(({ run }) => run)).toEqual([two.run]);
  const unknown = await asked({ judges: [{ detectors: ['no-such-detector'] }] });
  expect(of(unknown, 'left_out').map(({ because }) => because)).toEqual([
    expect.stringContaining('no-such-detector'),
    expect.stringContaining('no-such-detector'),
  ]);
  expect(of(unknown, 'tally')).toMatchObject([{ runs: 0, judgements: 0 }]);
});

test('W1 W2 no request names a module of the server that would decide for a run', async () => {
  const { post, start } = await lab();
  const live = await start();
  await live.done;
  const module = 'custom:./mine.ts#Mine';
  const written = { name: 'custom', config: { modulePath: './mine.ts', strategyName: 'Mine' } };
  for (const strategy of [module, written]) {
    const asked = [
      post('/api/lab', { judges: [{ strategy }] }),
      post(`/api/runs/${live.run}/redecide`, { strategy }),
      post(`/api/runs/${live.run}/extend`, { strategy }),
      post('/api/runs', { prompt: 'Do it.', options: { strategy } }),
    ];
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([400, 400, 400, 400]);
  }
});

test('W2 given several judges, then the lab reads the events of each run once', async () => {
  const reads: string[] = [];
  const log = new Proxy(memoryLog(), {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== 'function') return member;
      return (...given: unknown[]) => {
        if (name === 'pages' || name === 'readVerified') reads.push(String(given[0]));
        return Reflect.apply(member, target, given) as unknown;
      };
    },
  });
  const { asked, start } = await lab(SAYING, log);
  const live = await start();
  await live.done;
  reads.length = 0;
  const lines = await asked({ judges: [{}, { maxSteps: 1 }, { detectors: ['off'] }] });
  expect(of(lines, 'judged')).toHaveLength(3);
  expect(reads).toEqual([live.run]);
});
