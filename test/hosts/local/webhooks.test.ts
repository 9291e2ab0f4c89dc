import { firstValueFrom } from 'rxjs';
import { expect, test } from 'vitest';
import { scriptedModel } from '../../../src/actors/model/model-script.ts';
import type { RunOptions } from '../../../src/config/options.ts';
import { Loops } from '../../../src/hosts/local/local-host.ts';
import type { LoopsOptions } from '../../../src/hosts/local/loops-options.ts';
import { OptionsError } from '../../../src/app/start/options-error.ts';
import { REPORTS_LIMIT_MS } from '../../../src/app/running/report-delivery.ts';
import { memoryLog } from '../../../src/log/sqlite/engine.ts';
import { repository } from '../../git/repository.ts';
import { fakeClock } from '../../support/fake-clock.ts';
import { testInTurn } from '../../support/in-turn.ts';
import { history } from '../../support/run-history.ts';
import { settled } from '../../support/stand-ins.ts';
import { isSigned, receiver } from '../../support/webhook-receiver.ts';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const KEY = Buffer.from('MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'base64');

/** Loops of attempts that never pass their check, on one log as several processes would have them. */
async function loopsOf(more: Partial<LoopsOptions> = {}) {
  const { root } = await repository({ 'sum.txt': '1' });
  const log = more.log ?? memoryLog();
  const said: string[] = [];
  const make = (environment: LoopsOptions['environment'] = { LOOPFOLD_WEBHOOK_SECRET: SECRET }) =>
    new Loops({
      model: scriptedModel({ answers: [{ text: 'tried' }] }),
      warn: (message) => said.push(message),
      environment,
      ...more,
      log,
    });
  const options = (webhooks: RunOptions['webhooks'], asked: Partial<RunOptions> = {}): RunOptions => ({
    prompt: 'Make it three.',
    directory: root,
    checks: ['false'],
    maxIterations: 2,
    webhooks,
    ...asked,
  });
  return { log, said, make, options };
}

const statusOf = ({ body }: { readonly body: string }): string => JSON.parse(body).status;

test('R6 R11 a run reports to a real server, in order, signed, under the ids of its events', async () => {
  const { url, received } = await receiver();
  const { make, options, log } = await loopsOf();
  const live = await make().start(options([url]));
  expect(await live.reported).toEqual([]);
  expect(received.map(statusOf)).toEqual(['started', 'continuing', 'max_iterations']);
  // The first decision lets the checks run on the base: it begins no attempt.
  const [, ...decisions] = (await history(log, live.run)).filter(({ type }) => type === 'decision.made');
  expect(received.map(({ id }) => id)).toEqual(decisions.map(({ version }) => `${live.run}/${version}`));
  for (const one of received) expect(await isSigned(one, KEY)).toBe(true);
  expect(JSON.parse(received[1]?.body ?? '')).toMatchObject({ type: 'loop.continuing', run: live.run, iteration: 2 });
  expect(live.warnings).toEqual([]);
});

testInTurn('R11 a receiver that fails holds up no run, and what it did not take is owed, with the reason', async () => {
  const clock = fakeClock();
  const { url, until } = await receiver(() => 500);
  const { make, options, log, said } = await loopsOf({ log: memoryLog({ now: clock.now }), clock });
  const live = await make().start(options([url]));
  expect(await live.done).toMatchObject({ kind: 'ended' });
  await until(1);
  let owed: Awaited<typeof live.reported> | null = null;
  void live.reported.then((reports) => (owed = reports));
  for (let waited = 0; waited <= REPORTS_LIMIT_MS && !owed; waited += 500) {
    for (let turn = 0; turn < 20; turn += 1) await settled();
    clock.advance(500);
  }
  const reports = await live.reported;
  expect(reports.map(statusOf)).toEqual(['started', 'continuing', 'max_iterations']);
  expect(reports[0]).toMatchObject({ lastError: 'answered 500' });
  expect(reports[0]?.attempts).toBeGreaterThan(1);
  expect(reports[1]).toMatchObject({ attempts: 0, lastError: null });
  expect(said).toEqual([expect.stringContaining('answered 500; it is tried again, and the run goes on')]);
  expect(await log.undelivered(live.run)).toEqual(reports);
});

testInTurn(
  'R11 what an earlier process owes is delivered by the next one that runs a loop, each report once',
  async () => {
    const log = memoryLog();
    const { url, taken, received } = await receiver((_request, count) => (count < 1 ? 'reset' : 204));
    const { make, options } = await loopsOf({ log });
    // It has no secret, so its reports wait for a process that has.
    const first = await make({ OTHER_SECRET: SECRET }).start(options([{ url, secretVariable: 'OTHER_SECRET' }]));
    await first.done;
    await first.reported;
    const second = await make({ OTHER_SECRET: SECRET }).start(options([]));
    await second.done;
    expect((await make({ OTHER_SECRET: SECRET }).deliver()).owed).toEqual([]);
    expect(taken().map(statusOf)).toEqual(['started', 'continuing', 'max_iterations']);
    expect(new Set(received.map(({ id }) => id)).size).toBe(3);
  },
);

testInTurn('R11 a later run does not hurry a report that is not due, nor wait for it; deliver tries it', async () => {
  const clock = fakeClock();
  let isUp = false;
  const { url, received, taken } = await receiver(() => (isUp ? 204 : 500));
  const { make, options, log, said } = await loopsOf({ log: memoryLog({ now: clock.now }), clock });
  const first = await make().start(options([url]));
  await first.done;
  while (said.length === 0) await settled();
  first.stopReporting();
  expect(await first.reported).toHaveLength(3);
  isUp = true;
  const second = await make().start(options([]));
  await second.done;
  expect(await second.reported).toEqual([]);
  expect(received).toHaveLength(1);
  expect(await log.undelivered(first.run)).toHaveLength(3);
  clock.advance(1);
  expect(await make().deliver()).toMatchObject({ owed: [] });
  expect(taken()).toHaveLength(3);
});

testInTurn('R11 deliver tries what is owed by runs that have ended, and says what is left and why', async () => {
  let isUp = false;
  const { url, received } = await receiver(() => (isUp ? 204 : 503));
  const { make, options } = await loopsOf({ log: memoryLog() });
  const live = await make().start(options([url], { maxIterations: 1 }));
  await live.done;
  const without = await make({}).deliver();
  expect(without).toMatchObject({ delivered: 0, givenUp: [] });
  expect(without.owed.map(statusOf)).toEqual(['started', 'max_iterations']);
  isUp = true;
  // Another process may have claimed the first one just now: the run's own.
  await live.reported;
  const { owed } = await make().deliver();
  expect(owed).toEqual([]);
  expect(received.filter(({ reply }) => reply === 204).map(statusOf)).toEqual(['started', 'max_iterations']);
});

const NO_SECRET = /webhooks\[0\]\.url.*without a secret in it/;
const ODD_TOKEN = 'abcDEF+1234/5678==';
const PLAIN_TOKEN = 'correcthorse';
const base64 = (text: string, form: 'base64' | 'base64url' = 'base64') => Buffer.from(text).toString(form);
const everyByte = (text: string) => text.replaceAll(/./g, (one) => `%${one.charCodeAt(0).toString(16)}`);

/** URLs that hand a token to their receiver. */
const hidden = (token: string): readonly (readonly [how: string, url: string])[] => [
  ['a query', `https://one.example/?t=${encodeURIComponent(token)}`],
  ['a query, encoded twice', `https://one.example/?t=${encodeURIComponent(encodeURIComponent(token))}`],
  ['a path, every byte encoded', `https://one.example/hook/${everyByte(token)}`],
  ['a fragment', `https://one.example/#${encodeURIComponent(token)}`],
  ['base64', `https://one.example/hook/${base64(token)}`],
  ['base64url', `https://one.example/?t=${base64(token, 'base64url')}`],
  ['base64, percent-encoded', `https://one.example/?t=${encodeURIComponent(base64(token))}`],
  ['base64 with a user name', `https://one.example/a/b/${base64(`ada:${token}`)}`],
];

type Asked = NonNullable<RunOptions['webhooks']>;
const among = (how: string, url: string): [string, Asked, RegExp] => [`a secret in ${how}`, [url], NO_SECRET];

test.each<[string, Asked, RegExp]>([
  ['another scheme', ['ftp://one.example'], /webhooks\[0\].* an https or http URL/],
  ['no URL', ['one.example/hook'], /webhooks\[0\].* an https or http URL/],
  ['a password', ['https://ada:lovelace@one.example'], /webhooks\[0\]/],
  ['the same URL twice', ['https://one.example', 'https://one.example'], /webhooks\[1\]\.url.*each URL once/],
  ['a variable that is not set', [{ url: 'https://one.example', secretVariable: 'ABSENT' }], /variable that is set/],
  ['half a secret', [{ url: 'https://one.example', secretVariable: 'HALF' }], /variable that holds a secret/],
  ['no status', [{ url: 'https://one.example', statuses: [] }], /webhooks\[0\]/],
  ['a secret in the URL', ['https://one.example/hidden-in-here'], /without a secret in it/],
  ['the secret that signs', [{ url: `https://one.example/${SECRET}`, secretVariable: 'SIGNS' }], NO_SECRET],
  ...hidden(ODD_TOKEN).map(([how, url]) => among(how, url)),
  ...hidden(PLAIN_TOKEN).map(([how, url]) => among(`${how}, of plain letters`, url)),
])('R11 %s is refused before the run begins', async (_what, webhooks, reason) => {
  const { make, options, log } = await loopsOf();
  const environment = {
    HALF: 'whsec_!',
    SOME_TOKEN: 'hidden-in-here',
    ODD_TOKEN,
    PLAIN_TOKEN,
    SIGNS: SECRET,
    LOOPFOLD_WEBHOOK_SECRET: SECRET,
  };
  const starting = make(environment).start(options(webhooks));
  await expect(starting).rejects.toThrow(OptionsError);
  await expect(starting).rejects.toThrow(reason);
  await expect(starting).rejects.not.toThrow(/hidden-in-here|lovelace|whsec_Mf/);
  expect(await log.runs()).toEqual([]);
});

testInTurn('R11 a URL whose parts look encoded and hold no secret is recorded as it is', async () => {
  const { make, options } = await loopsOf();
  const url = `http://127.0.0.1:1/services/T024BE7LD/B01%20%zz/${base64('no secret at all')}?to=a+b%2Bc`;
  const live = await make({ ODD_TOKEN, PLAIN_TOKEN }).start(options([url]));
  await live.done;
  live.stopReporting();
  expect((await live.reported).map((report) => report.url)).toContain(url);
});

test('R11 a run says where its reports can be read by others, are not signed, or will not come', async () => {
  const { make, options } = await loopsOf();
  const live = await make({}).start(options(['http://one.example/hook?key=x'], { loop: 'turn', checks: [] }));
  await live.done;
  expect(live.warnings.slice(-3)).toEqual([
    'webhooks is not used: a turn has no activities to report. Choose a loop of attempts.',
    'Reports to http://one.example can be read on the way: use https.',
    'Reports to http://one.example are not signed: put a secret into LOOPFOLD_WEBHOOK_SECRET.',
  ]);
});

testInTurn('R11 no secret is recorded, and an attempt does not know where its run reports', async () => {
  const { url } = await receiver();
  const { make, options, log } = await loopsOf();
  const live = await make().start(options([url], { maxIterations: 1 }));
  await firstValueFrom(live.activities);
  await live.reported;
  const runs = await log.runs();
  const facts = (await Promise.all(runs.map(({ run }) => history(log, run)))).flat();
  expect(JSON.stringify(facts)).not.toContain(SECRET);
  const started = facts.filter(({ type }) => type === 'run.started').map(({ payload }) => JSON.stringify(payload));
  expect(started.map((text) => text.includes(url))).toEqual([true, false]);
});
