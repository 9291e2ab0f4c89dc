import { expect, test } from 'vitest';
import { repository } from '../../git/repository.ts';
import { askingLoop } from '../../support/asking-loop.ts';
import { testInTurn } from '../../support/in-turn.ts';
import { leftWaiting, office, resumed, untilWaiting } from './office.ts';

const attempt = { answers: [{ text: 'Done.' }] };

async function harness() {
  const { root, commit } = await repository({ 'a.txt': 'a' });
  await commit();
  const options = { loop: 'read', directory: root, checks: ['true'], checkIn: 'workspace' as const };
  return { ...office({ attempts: [attempt, attempt] }, { loops: [askingLoop] }), options };
}

test("what a loop of one's own asks a person is answered while it runs, as an event of its own", async () => {
  const { loops, start, options } = await harness();
  const live = await start(options);
  await untilWaiting(live);
  expect(await loops().questions(live.run)).toMatchObject([
    { run: live.run, text: 'Is it good?', choices: ['yes', 'no'] },
  ]);
  expect(await loops().answer(live.run, { text: 'no' })).toMatchObject({ kind: 'received' });
  await untilWaiting(live);
  expect(await loops().answer(live.run, { text: 'yes' })).toMatchObject({ kind: 'received' });
  expect(await live.done).toMatchObject({ kind: 'ended', outcome: { ending: 'success' } });
});

testInTurn('it leaves its process while it waits, and receives an answer that came meanwhile', async () => {
  const all = await harness();
  const run = await leftWaiting(all, all.options);
  const [question] = (await all.loops().questions(run)) ?? [];
  expect(await all.loops().answer(run, { text: 'no', call: question?.callId ?? '' })).toMatchObject({
    kind: 'received',
  });
  expect(await all.loops().answer(run, { text: 'yes' })).toMatchObject({ kind: 'refused', because: 'nothing_asked' });
  const live = await resumed(all.loops(), run);
  await untilWaiting(live);
  expect(await all.loops().answer(run, { text: 'yes' })).toMatchObject({ kind: 'received' });
  expect(await live.done).toMatchObject({ kind: 'ended', outcome: { ending: 'success' } });
});
