import { expect, test } from 'vitest';
import { ENDPOINTS, STREAMS } from '../../src/http/endpoints.ts';
import { HttpClient, HttpClientError } from '../../src/http/http-client.ts';
import { ask } from '../hosts/local/office.ts';
import { served, TOKEN } from './served.ts';

const SCRIPT = { answers: [{ calls: [ask('Which?', ['tabs', 'blanks'])] }, { text: 'done' }] };

async function all<Item>(items: AsyncIterable<Item>): Promise<readonly Item[]> {
  const found: Item[] = [];
  for await (const item of items) found.push(item);
  return found;
}

async function client() {
  const server = await served(SCRIPT);
  return { ...server, client: new HttpClient({ url: server.base, token: TOKEN }) };
}

test('W1 a client starts, answers, follows and reads a run, each answer as its schema says', async () => {
  const { client: api, log } = await client();
  const { run } = await api.ask('start', { body: { prompt: 'Do it.' } });
  const following = all(api.follow('events', { run }));
  await expect.poll(async () => (await api.ask('run', { run })).standing.asks).toBe(1);
  const [waiting] = await api.ask('inbox', {});
  expect(waiting).toMatchObject({ kind: 'question', run });
  await api.ask('answer', { run, body: { text: 'tabs' } });
  const events = await following;
  const head = (await log.run(run))?.version ?? 0;
  expect(events.map(({ id, data }) => [id, data.version])).toEqual(
    Array.from({ length: head }, (_, index) => [index + 1, index + 1]),
  );
  const late = await all(api.follow('events', { run, offset: head - 1 }));
  expect(late.map(({ id }) => id)).toEqual([head]);

  expect((await api.ask('run', { run })).answer).toBe('done');
  expect((await api.ask('runs', { limit: 10 })).runs.map((one) => one.run)).toEqual([run]);
  expect((await api.ask('state', { run, at: 1 })).version).toBe(1);
  expect((await api.ask('steps', { run, from: head })).steps.map(({ version }) => version)).toEqual([head]);
  const lines = await all(api.follow('lab', { body: { judges: [{ maxSteps: 1 }] } }));
  expect(lines.map(({ data }) => data.kind)).toEqual(['judged', 'tally']);
});

test('W1 what is refused reaches a program with its status, code and sentence', async () => {
  const { client: api, base } = await client();
  const refused = await api.ask('run', { run: 'ffffffff' }).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(HttpClientError);
  expect(refused).toMatchObject({ status: 404, problem: { code: 'unknown_run' } });
  const stranger = new HttpClient({ url: base, token: 'another-token-of-32-characters--' });
  await expect(stranger.ask('inbox', {})).rejects.toMatchObject({ status: 401, problem: { code: 'no_key' } });
});

test('W1 the client has every route of the API but pictures and the streams of another protocol', async () => {
  const { get } = await client();
  const { paths } = await get('/api/openapi.json');
  const described = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method} ${path}`),
  );
  const known = [...Object.values(ENDPOINTS), ...Object.values(STREAMS).map(({ route }) => route)];
  expect(known.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual(
    described.filter((one) => !/svg$|streams/.test(one)).toSorted(),
  );
});
