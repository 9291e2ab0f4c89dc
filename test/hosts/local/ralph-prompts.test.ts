import { expect, test } from 'vitest';
import { repository } from '../../git/repository.ts';
import { testInTurn } from '../../support/in-turn.ts';
import { office, wordsIn } from './office.ts';

const PROMISE = '<promise>ALL GOOD</promise>';

testInTurn('R5 R9 the first prompt says how to complete the task, a later one what came of the last', async () => {
  const { root, commit } = await repository({ 'a.txt': 'a' });
  await commit();
  const write = { tool: 'write', arguments: { path: 'lib.test.ts', content: 'one\ntwo\n' } };
  const { start, requests } = office({
    attempts: [
      { answers: [{ calls: [write] }, { text: `Done. ${PROMISE}` }] },
      { answers: [{ calls: [{ tool: 'write', arguments: { path: 'done.txt', content: '' } }] }, { text: PROMISE }] },
    ],
  });

  const live = await start({
    loop: 'ralph',
    labels: ['ralph-wiggum-3'],
    completionPromise: 'ALL GOOD',
    prompt: 'Finish the library.',
    directory: root,
    tools: ['write'],
    checks: ['test -e done.txt'],
  });
  expect(await live.done).toMatchObject({ kind: 'ended', outcome: { ending: 'success', verified: {} } });

  const [first = '', later = ''] = [...new Set(requests.map((request) => wordsIn(request)[0] ?? ''))];
  expect(first).toContain('Finish the library.');
  expect(first).toContain(PROMISE);
  expect(first).not.toContain('Iteration');
  expect(later).toContain('Iteration 2/3');
  expect(later).toContain('Finish the library.');
  expect(later).toContain(PROMISE);
  expect(later).toContain('lib.test.ts (+2 -0)');
  expect(later).toContain('Tests: 1 file changed, 2 lines added.');
  expect(later).toContain('L0/test -e done.txt');
  expect(later).toContain('You promised that the task is complete, but the checks do not pass.');
});

test('R2 a promise in the text of the message that calls finish counts', async () => {
  const { root, commit } = await repository({ 'a.txt': 'a' });
  await commit();
  const finish = { tool: 'finish', arguments: { answer: 'I looked at a.txt.' } };
  const { start } = office({
    attempts: [
      { answers: [{ text: `All done.\n\n${PROMISE}`, calls: [finish] }] },
      { answers: [{ text: `All done.\n\n${PROMISE}`, calls: [finish] }] },
    ],
  });
  const live = await start({
    loop: 'ralph',
    labels: ['ralph-wiggum-2'],
    completionPromise: 'ALL GOOD',
    prompt: 'Look at the library.',
    directory: root,
    tools: ['finish'],
    checks: ['true'],
    checkIn: 'workspace',
  });
  expect(await live.done).toMatchObject({
    kind: 'ended',
    answer: 'I looked at a.txt.',
    outcome: { ending: 'success' },
    spend: { steps: 1 },
  });
});

testInTurn('R2 the next prompt says why a promise did not count', async () => {
  const { root, commit } = await repository({ 'a.txt': 'a' });
  await commit();
  const { start, requests } = office({
    attempts: [{ answers: [{ text: `Done.\n\n${PROMISE}\n\nBye` }] }, { answers: [{ text: PROMISE }] }],
  });
  const live = await start({
    loop: 'ralph',
    labels: ['ralph-wiggum-2'],
    completionPromise: 'ALL GOOD',
    prompt: 'Look at the library.',
    directory: root,
    checks: ['true'],
    checkIn: 'workspace',
  });
  expect(await live.done).toMatchObject({ kind: 'ended', outcome: { ending: 'success' } });
  expect(requests.flatMap(wordsIn).join('\n')).toContain(
    'Your last message has a promise tag, but it does not count, because other text follows it.',
  );
});
