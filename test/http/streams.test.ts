import { expect, test } from 'vitest';
import { ask, untilWaiting } from '../hosts/local/office.ts';
import { served } from './served.ts';

const SAYING = { answers: [{ text: 'It is done.' }] };
const ASKING = { answers: [{ calls: [ask('Which?')] }, { text: 'done' }] };

const offsetIn = ({ headers }: Response): string => headers.get('stream-next-offset') ?? '';
const versionsIn = async (response: Response) =>
  ((await response.json()) as { version: number }[]).map(({ version }) => version);

test('W1 the log of an ended run is a closed stream, read from any offset to the same end', async () => {
  const { start, ask: request, log } = await served(SAYING);
  const live = await start();
  await live.done;
  const head = (await log.run(live.run))?.version ?? 0;
  const path = `/api/streams/${live.run}`;
  const all = await request(path);
  expect(all.headers.get('stream-closed')).toBe('true');
  const end = offsetIn(all);
  expect(await versionsIn(all)).toEqual(Array.from({ length: head }, (_, index) => index + 1));
  expect(offsetIn(await request(path, { method: 'HEAD' }))).toBe(end);
  expect(await versionsIn(await request(`${path}?offset=-1`))).toHaveLength(head);
  for (const offset of ['now', end]) {
    const last = await request(`${path}?offset=${offset}`);
    expect([await versionsIn(last), offsetIn(last)]).toEqual([[], end]);
  }
  expect((await request(`${path}?offset=${end}&live=long-poll`)).status).toBe(204);
  const etag = all.headers.get('etag') ?? '';
  expect((await request(path, { headers: { 'if-none-match': etag } })).status).toBe(304);
  for (const odd of ['offset=12', 'offset=', 'offset=-1&offset=now', 'live=sse'])
    expect([odd, (await request(`${path}?${odd}`)).status]).toEqual([odd, 400]);
});

test('W1 a reader that waits gets what is recorded then, and one that follows all of it until the end', async () => {
  const { start, ask: request, post, log } = await served(ASKING);
  const live = await start();
  await untilWaiting(live);
  const path = `/api/streams/${live.run}`;
  const followed = request(`${path}?offset=-1&live=sse`).then((response) => response.text());
  const begun = await request(path);
  const seen = await versionsIn(begun);
  expect(begun.headers.get('stream-closed')).toBeNull();
  const waiting = request(`${path}?offset=${offsetIn(begun)}&live=long-poll`);
  await post(`/api/runs/${live.run}/answer`, { text: 'tabs' });
  expect((await versionsIn(await waiting))[0]).toBe(seen.length + 1);
  await live.done;

  const frames = (await followed).trimEnd().split('\n\n');
  const data = frames.flatMap((frame) => /^event: data\ndata:(.*)$/.exec(frame)?.[1] ?? []);
  const versions = data.flatMap((text) => (JSON.parse(text) as { version: number }[]).map(({ version }) => version));
  const head = (await log.run(live.run))?.version ?? 0;
  expect(versions).toEqual(Array.from({ length: head }, (_, index) => index + 1));
  const control = JSON.parse(/^event: control\ndata:(.*)$/.exec(frames.at(-1) ?? '')?.[1] ?? '{}');
  expect(control).toMatchObject({ streamClosed: true, upToDate: true });
  // After each part it is said where the next reader begins.
  expect(frames.map((frame) => frame.startsWith('event: control'))).toEqual(frames.map((_, index) => index % 2 === 1));
});
