import { expect, test, vi } from 'vitest';
import { KeptListing } from '../../src/http/kept-listing.ts';
import { ask, leftWaiting, office } from '../hosts/local/office.ts';

test('W1 the list reads an ended run once, and one that goes on each time', async () => {
  const asking = office({ answers: [{ calls: [ask('Which?')] }, { text: 'done' }] });
  const open = await leftWaiting(asking);
  const loops = asking.loops();
  const ended = await leftWaiting(asking);
  await loops.abort(ended, 'enough');
  const listing = new KeptListing(loops);
  const list = async () => listing.of((await loops.log.newest(10)).runs);
  const first = await list();
  const pages = vi.spyOn(loops.log, 'pages');

  expect(await list()).toEqual(first);
  expect(new Set(pages.mock.calls.map(([run]) => run))).toEqual(new Set([open]));
  expect(first.map(({ run, ending }) => [run, ending])).toEqual([
    [ended, 'abort'],
    [open, null],
  ]);
});
