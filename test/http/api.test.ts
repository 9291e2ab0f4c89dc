import { createServer } from 'node:net';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { RunSteps } from '../../src/app/views/run-steps.ts';
import { RunView } from '../../src/app/views/run-parts-view.ts';
import { httpHandler } from '../../src/http/http-handler.ts';
import { InboxView } from '../../src/http/inbox-routes.ts';
import { ListedView } from '../../src/http/list-view.ts';
import { userTokens } from '../../src/http/user-tokens.ts';
import { temporaryFolder } from '../git/repository.ts';
import { ask, leftWaiting, office } from '../hosts/local/office.ts';
import { answered, eventsIn, served } from './served.ts';

const SCRIPT = { answers: [{ calls: [ask('Which?', ['tabs', 'blanks'])] }, { text: 'done' }] };
const SAYING = { answers: [{ text: 'It is done.' }] };

test('W1 a run is started, answered, followed to its end and read at any version, over HTTP alone', async () => {
  const { ask: request, get, post } = await served(SCRIPT);
  const { run } = await answered(await post('/api/runs', { prompt: 'Do it.' }));
  const events = request(`/api/runs/${run}/events`).then((response) => eventsIn(response));
  await expect.poll(async () => (await get(`/api/runs/${run}`)).standing.asks).toBe(1);
  const [item] = InboxView.array().parse(await get('/api/inbox'));
  expect(item).toMatchObject({ kind: 'question', run, question: { choices: ['tabs', 'blanks'] } });
  expect((await post(`/api/runs/${run}/answer`, { text: 'tabs' })).status).toBe(200);

  const versions = (await events).map(({ id, data }) => [id, data.version]);
  const view = RunView.parse(await get(`/api/runs/${run}`));
  expect(view).toMatchObject({ answer: 'done', ending: { kind: 'success' }, standing: { kind: 'ended' } });
  expect(versions).toEqual(Array.from({ length: view.version }, (_, index) => [index + 1, index + 1]));
  const { steps, states } = RunSteps.parse(await get(`/api/runs/${run}/steps`));
  for (const { version, state } of steps) {
    const then = await get(`/api/runs/${run}/state?at=${version}`);
    const [inner] = states[state ?? -1]?.toReversed() ?? [];
    expect([then.version, pathsOf(then.value)]).toEqual([version, expect.arrayContaining([inner])]);
  }
  expect(await get('/api/inbox')).toEqual([]);
  expect(ListedView.array().parse((await get('/api/runs')).runs)).toHaveLength(1);
});

/** `['decide', 'decide.judging']` for `{decide: 'judging'}`. */
function pathsOf(value: unknown, above = ''): string[] {
  if (typeof value === 'string') return [above + value];
  return Object.entries(Object(value)).flatMap(([name, inner]) => [
    above + name,
    ...pathsOf(inner, `${above}${name}.`),
  ]);
}

test('W1 a follower that comes back gets what it has not seen, by either of two ways to say so', async () => {
  const { start, ask: request, log } = await served(SAYING);
  const live = await start();
  await live.done;
  const head = (await log.run(live.run))?.version ?? 0;
  for (let seen = 0; seen <= head; seen += 1) {
    const left = Array.from({ length: head - seen }, (_, index) => seen + 1 + index);
    const path = `/api/runs/${live.run}/events`;
    const byOffset = await eventsIn(await request(`${path}?offset=${seen}`));
    const byHeader = await eventsIn(await request(path, { headers: { 'last-event-id': String(seen) } }));
    expect([byOffset.map(({ id }) => id), byHeader.map(({ id }) => id)]).toEqual([left, left]);
  }
});

test('W1 all followers of a run get each of its events once, in order, while it is recorded', async () => {
  const { post, ask: request, get, log } = await served(SCRIPT);
  const { run } = await answered(await post('/api/runs', { prompt: 'Do it.' }));
  const following = Array.from({ length: 50 }, (_, index) =>
    request(`/api/runs/${run}/events?offset=${index % 5}`).then((response) => eventsIn(response)),
  );
  await expect.poll(async () => (await get(`/api/runs/${run}`)).standing.asks).toBe(1);
  await post(`/api/runs/${run}/answer`, { text: 'tabs' });
  const seen = await Promise.all(following);
  const head = (await log.run(run))?.version ?? 0;
  for (const [index, events] of seen.entries()) {
    const after = index % 5;
    expect(events.map(({ id }) => id)).toEqual(Array.from({ length: head - after }, (_, one) => after + one + 1));
  }
});

test('W1 the runs are listed by pages, each of runs that are older than the last of the one before', async () => {
  const { start, get } = await served(SAYING);
  const ended: string[] = [];
  for (let n = 0; n < 5; n += 1) {
    const live = await start();
    await live.done;
    ended.unshift(live.run);
  }
  const pageAfter = async (before: string | null) => {
    const { runs, more } = await get(`/api/runs?limit=2${before === null ? '' : `&before=${before}`}`);
    return {
      runs: ListedView.array()
        .parse(runs)
        .map(({ run }) => run),
      more,
    };
  };
  const [first, third] = [ended[1] ?? '', ended[3] ?? ''];
  expect(await pageAfter(null)).toEqual({ runs: ended.slice(0, 2), more: 3 });
  expect(await pageAfter(first)).toEqual({ runs: ended.slice(2, 4), more: 1 });
  expect(await pageAfter(third)).toEqual({ runs: ended.slice(4), more: 0 });
});

test('W1 the feed tells of every tree that records something after a position', async () => {
  const { start, ask: request, log } = await served(SAYING);
  const feed = await request('/api/feed?offset=0');
  const live = await start();
  await live.done;
  const { position } = await log.changes(null);
  const told = (await eventsIn(feed, 2)) as unknown as { id: number; data: { trees: string[] } }[];
  expect(told.flatMap(({ data }) => data.trees)).toContain(live.run);
  expect(told.every(({ id }) => id <= position)).toBe(true);
});

test('W1 what a run is told, and what it is to become, reaches it as it does from a terminal', async () => {
  const asking = office(SCRIPT);
  const run = await leftWaiting(asking);
  const { post, get } = await served(SAYING, { loops: asking.loops() });
  expect((await post(`/api/runs/${run}/steer`, { text: 'Keep it short.' })).status).toBe(200);
  const denied = await post(`/api/runs/${run}/approve`);
  expect([denied.status, (await answered(denied)).code]).toEqual([409, 'asks_a_question']);
  expect((await post(`/api/runs/${run}/abort`, { reason: 'enough' })).status).toBe(200);
  await expect.poll(async () => (await get(`/api/runs/${run}`)).ending?.kind).toBe('abort');
  const again = await post(`/api/runs/${run}/pause`);
  expect(again.status).toBe(409);
  const other = await answered(await post(`/api/runs/${run}/redecide`, { maxSteps: 1 }));
  expect(other).toMatchObject({ run, judgements: expect.any(Number) });
});

test('W1 a port that is in use is passed over, and the next one is said', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as { port: number };
  const { server } = await served(SAYING, { port });
  expect(server.port).toBeGreaterThan(port);
  taken.close();
});

test('W1 mounted in a server, the API asks that server who a person is', async () => {
  const { loops } = office(SAYING);
  const person = { name: 'Ada', email: null, isKnown: true };
  const api = httpHandler({
    loops: loops(),
    identify: ({ headers }) => (headers.get('x-session') === 'ada' ? person : null),
    readOnly: true,
  });
  const asked = (headers: Record<string, string>) => api.fetch(new Request('http://localhost/api/runs', { headers }));
  expect((await asked({})).status).toBe(401);
  expect(await (await asked({ 'x-session': 'ada' })).json()).toEqual({ runs: [], more: 0 });
  await api.stop();
});

test.each([
  ['a short token', 'abc Ada', 'line 1: expected a token of 32 characters or more, found 3'],
  ['no name', `# mine\n${'a'.repeat(40)}`, 'line 2: expected a token, a blank and the name of its person'],
  ['nothing', '\n# later\n', 'expected at least one token'],
])('W1 a file of tokens with %s is refused, and the text repeats no token', (_what, text, said) =>
  expect(userTokens(text)).toBe(said),
);

test('W1 a token of a file has the name of its person', () => {
  const read = userTokens(`${'a'.repeat(40)} Ada Lovelace <ada@example.org>\n${'b'.repeat(32)}\tGrace\n`);
  expect(read).toMatchObject([
    { name: 'Ada Lovelace', email: 'ada@example.org' },
    { name: 'Grace', email: null },
  ]);
});

test('W1 a run in a folder without git has no change, and the answer says so in a sentence', async () => {
  const { start, ask } = await served({ answers: [{ text: 'done' }] });
  const live = await start({ directory: await temporaryFolder() });
  await live.done;
  const answer = await ask(`/api/runs/${live.run}/diff`);
  expect([answer.status, await answer.json()]).toEqual([
    409,
    { code: 'no_capture', message: expect.stringContaining('is in no git work tree, and only git keeps') },
  ]);
});
