import { expect, test, vi } from 'vitest';
import { office, request } from '../hosts/local/office.ts';
import { served } from './served.ts';

const SCRIPT = { answers: [{ calls: [request('/etc/hosts')] }, { text: 'done' }] };
const DIGEST = '0123456789abcdef';

test('W1 a ruling is of the person whose token sent it, where it names what they were shown', async () => {
  const loops = office(SCRIPT).loops();
  const { post, start } = await served(SCRIPT, { loops });
  const { run } = await start();
  const granted = vi.spyOn(loops, 'grant').mockResolvedValue({ kind: 'received', run, version: 1 });
  vi.spyOn(loops.log, 'run').mockResolvedValue({ run } as never);
  await post(`/api/runs/${run}/approve`, { digest: DIGEST });
  await post(`/api/runs/${run}/approve`, {});
  await post(`/api/runs/${run}/deny`, { reason: 'no' });
  const by = { name: 'Grace', email: 'grace@example.org', door: 'token' };
  expect(granted.mock.calls).toEqual([
    [run, { granted: true, digest: DIGEST, by }],
    [run, { granted: true }],
    [run, { granted: false, reason: 'no' }],
  ]);
});

test('W1 a digest that is too short to be safe is refused before it reaches the run', async () => {
  const { post, start } = await served(SCRIPT);
  const { run } = await start();
  expect((await post(`/api/runs/${run}/approve`, { digest: DIGEST.slice(1) })).status).toBe(400);
});
