import { expect, test } from 'vitest';
import { CompareView } from '../../src/app/views/compare-view.ts';
import { readMoves } from '../../src/app/views/run-moves.ts';
import { ListedView } from '../../src/http/list-view.ts';
import { repository } from '../git/repository.ts';
import { ask, untilWaiting } from '../hosts/local/office.ts';
import { served } from './served.ts';

const ASKING = { answers: [{ calls: [ask('Which?', ['tabs', 'blanks'])] }, { text: 'done' }] };

async function comparing(script: Parameters<typeof served>[0] = ASKING) {
  const server = await served(script);
  const told = async (answer: string) => {
    const live = await server.start();
    await untilWaiting(live);
    await server.post(`/api/runs/${live.run}/answer`, { text: answer });
    await live.done;
    return live.run;
  };
  const compare = async (query: string) => CompareView.parse(await server.get(`/api/compare?${query}`));
  return { ...server, told, compare };
}

test('W2 runs that did the same do not differ, and what one of them was told is the first difference', async () => {
  const { told, compare } = await comparing();
  const [one, two, other] = [await told('tabs'), await told('tabs'), await told('blanks')];
  const same = await compare(`runs=${one},${two}`);
  expect(same.moves.every(({ isSame }) => isSame)).toBe(true);
  expect(same.runs.map(({ moves }) => moves)).toEqual([same.alike, same.alike]);
  expect(same.given).toEqual([]);

  const { runs, alike, moves } = await compare(`runs=${one},${two},${other}`);
  expect(runs.map(({ run }) => run)).toEqual([one, two, other]);
  const [first] = moves.filter(({ isSame }) => !isSame);
  expect(first).toMatchObject({ number: alike + 1 });
  expect(first?.cells.map((cell) => [cell?.type, cell?.text])).toEqual([
    ['person.answered', '0.0: tabs'],
    ['person.answered', '0.0: tabs'],
    ['person.answered', '0.0: blanks'],
  ]);
});

test('W2 the attempts of a run are compared by its name, with what came of each', async () => {
  const { start, compare, log } = await comparing({ answers: [{ text: 'one' }, { text: 'another' }] });
  const live = await start({
    loop: 'iteration',
    maxIterations: 2,
    directory: (await repository()).root,
    checks: ['false'],
  });
  await live.done;
  const { runs, alike } = await compare(`of=${live.run}`);
  expect(runs.map(({ run }) => run)).toEqual((await log.openedFrom(live.run)).map(({ run }) => run));
  // The model of each attempt begins its script anew.
  expect(runs.map(({ moves }) => moves)).toEqual([alike, alike]);
});

test('W2 what a run below did is compared where it was done, and one run alone with nothing', async () => {
  const { start, compare, loops, ask: request } = await comparing({ answers: [{ text: 'one' }, { text: 'another' }] });
  const places = [await repository(), await repository()];
  const [left, right] = await Promise.all(
    places.map(({ root: directory }) => start({ loop: 'iteration', maxIterations: 1, directory, checks: ['false'] })),
  );
  await Promise.all([left?.done, right?.done]);
  const done = (await readMoves(loops, left?.run ?? '')).map(({ type }) => type);
  expect(done.indexOf('model.completed')).toBeGreaterThan(0);
  expect(done.indexOf('child.settled')).toBeGreaterThan(done.indexOf('model.completed'));
  const { rounds, checks } = await compare(`runs=${left?.run},${right?.run}`);
  expect(rounds.map(({ cells }) => cells.map((cell) => cell?.passed))).toEqual([[false, false]]);
  expect(checks).toMatchObject([{ name: 'false', cells: [false, false] }]);
  expect((await request(`/api/compare?runs=${left?.run}`)).status).toBe(400);
});

test('W2 the list has the label that chose the loop of a run', async () => {
  const { start, get } = await comparing({ answers: [{ text: 'done' }] });
  const { root } = await repository();
  const labelled = await start({ loop: 'ralph', labels: ['ralph-wiggum-1'], directory: root, checks: ['true'] });
  const bare = await start();
  await Promise.all([labelled.done, bare.abort('enough')]);
  const listed = ListedView.array().parse((await get('/api/runs')).runs);
  const labels = new Map(listed.map(({ run, label }) => [run, label]));
  expect([labels.get(labelled.run), labels.get(bare.run)]).toEqual(['ralph-wiggum-1', null]);
});
