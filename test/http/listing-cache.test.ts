import { expect, test, vi } from 'vitest';
import { KeptListing } from '../../src/http/listing-cache.ts';
import { ask, leftWaiting, office, untilWaiting } from '../hosts/local/office.ts';

test('W1 the list reads a run once for what is recorded in it, and one that a process works on each time', async () => {
  const asking = office({ answers: [{ calls: [ask('Which?')] }, { text: 'done' }] });
  const left = await leftWaiting(asking);
  const live = await asking.start();
  await untilWaiting(live);
  const loops = asking.loops();
  const ended = await leftWaiting(asking);
  await loops.abort(ended, 'enough');
  const listing = new KeptListing(loops);
  const list = async () => listing.of((await loops.log.newest(10)).runs);
  const first = await list();
  const pages = vi.spyOn(loops.log, 'pages');

  expect(await list()).toEqual(first);
  expect(new Set(pages.mock.calls.map(([run]) => run))).toEqual(new Set([live.run]));
  expect(first.map(({ run, ending }) => [run, ending])).toEqual([
    [ended, 'abort'],
    [live.run, null],
    [left, null],
  ]);
  await loops.answer(left, { text: 'this' });
  const asksOf = async () => (await list()).map(({ run, standing }) => [run, standing.asks]);
  expect(await asksOf()).toContainEqual([left, 0]);
  await live.abort('enough');
  await live.done;
});
