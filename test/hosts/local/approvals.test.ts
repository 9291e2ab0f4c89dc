import { join } from 'node:path';
import { expect } from 'vitest';
import { memoryLog, openSqliteLog } from '../../../src/log/sqlite/engine.ts';
import { repository, temporaryFolder } from '../../git/repository.ts';
import { testInTurn } from '../../support/in-turn.ts';
import { history } from '../../support/run-history.ts';
import { approvingLoop, CALL } from '../../support/approving-loop.ts';
import { ask, factsOf, leftWaiting, office, request, resumed, untilWaiting } from './office.ts';

const attempt = { answers: [{ text: 'Done.' }] };
const UNKNOWN_DIGEST = 'f'.repeat(64);

async function harness(log = memoryLog()) {
  const { root, commit } = await repository({ 'a.txt': 'a' });
  await commit();
  const options = { loop: 'approving', directory: root, checks: ['true'], checkIn: 'workspace' as const };
  const all = office({ attempts: [attempt, attempt, attempt] }, { loops: [approvingLoop], log });
  const approval = async (run: string) => {
    const [question] = (await all.loops().questions(run)) ?? [];
    if (!question?.approval) throw new Error('no approval is asked for');
    return question.approval;
  };
  return { ...all, options, approval };
}

const engines = [
  ['memory', async () => memoryLog()],
  ['SQLite', async () => openSqliteLog(join(await temporaryFolder(), 'log.db'))],
] as const;

testInTurn.each(engines)(
  'T9 an approval given with no process running is recorded in the log, and ends the run (%s)',
  async (_, log) => {
    const all = await harness(await log());
    const run = await leftWaiting(all, all.options);
    const { allows, digest } = await all.approval(run);
    expect(allows).toMatch(/^the loop uses the work of event \d+$/);
    const approved = await all.loops().grant(run, { call: CALL, granted: true, digest });
    expect(approved).toMatchObject({ kind: 'received', question: { approval: { digest } } });
    expect(await all.log.holder(run)).toBeNull();
    expect(await all.loops().questions(run)).toEqual([]);
    // All that is left is decided in the transaction that records the answer.
    expect((await all.log.run(run))?.closed).toBe('success');
    await all.log.close();
  },
);

testInTurn.each(engines)(
  'T9 a second approval or denial is refused with the time of the first and what it was (%s)',
  async (_, log) => {
    const all = await harness(await log());
    const run = await leftWaiting(all, all.options);
    const { allows } = await all.approval(run);
    await all.loops().grant(run, { granted: true, reason: 'I read it' });
    const second = await all.loops().grant(run, { call: CALL, granted: false });
    const first = { callId: CALL, answer: `approved: ${allows}; I read it`, answeredAt: expect.stringMatching(/Z$/) };
    expect(second).toMatchObject({ kind: 'refused', because: 'answered_before', first });
    const at = second.kind === 'refused' ? second.first?.answeredAt : '';
    const recorded = await history(all.log, run);
    expect(recorded.findLast(({ type }) => type === ('review.given' as never))?.at).toBe(at);
    expect(second).toMatchObject({
      message: `call ${CALL} was answered at ${at}: ${first.answer}; the first answer counts`,
    });
    expect(await all.loops().grant(run, { granted: true })).toMatchObject({ because: 'nothing_asked', first });
    expect((await all.log.run(run))?.closed).toBe('success');
    expect(await all.loops().grant(run, { call: CALL, granted: true })).toMatchObject({
      because: 'answered_before',
      first,
    });
    await all.log.close();
  },
);

testInTurn('T9 a denied approval is recorded with its reason, and the loop does another round', async () => {
  const all = await harness();
  const run = await leftWaiting(all, all.options);
  expect(await all.loops().grant(run, { granted: false, reason: 'not yet' })).toMatchObject({ kind: 'received' });
  const live = await resumed(all.loops(), run);
  await untilWaiting(live);
  expect(await factsOf(all.log, run, 'iteration.started')).toHaveLength(2);
  const [given] = await factsOf(all.log, run, 'review.given' as never);
  expect(given?.payload).toMatchObject({ approved: false, remark: 'denied; not yet' });
  await live.abort();
  await live.done;
});

testInTurn(
  'T9 an approval of what is no longer asked about is refused, also by the beginning of its digest',
  async () => {
    const all = await harness();
    const live = await all.start(all.options);
    await untilWaiting(live);
    const { run } = live;
    const before = await all.approval(run);
    await all.loops().steer(run, 'use tabs');
    const after = await all.approval(run);
    expect(after.digest).not.toBe(before.digest);
    const open = (await all.loops().questions(run)) ?? [];
    for (const digest of [before.digest, before.digest.slice(0, 16), UNKNOWN_DIGEST, after.digest.slice(0, 15)]) {
      expect(await all.loops().grant(run, { call: CALL, granted: true, digest })).toMatchObject({
        because: 'has_changed',
        open,
      });
    }
    const digest = after.digest.slice(0, 16).toUpperCase();
    expect(await all.loops().grant(run, { granted: true, digest })).toMatchObject({ kind: 'received' });
    await live.abort();
    await live.done;
  },
);

testInTurn('T9 the chart refuses an approval whose content changes while it is on its way', async () => {
  const all = await harness();
  const run = await leftWaiting(all, all.options);
  const { digest } = await all.approval(run);
  const both = await Promise.all([
    all.loops().steer(run, 'use tabs'),
    all.loops().grant(run, { call: CALL, granted: true, digest }),
  ]);
  expect(both).toMatchObject([{ kind: 'received' }, { kind: 'refused', because: 'has_changed' }]);
  expect(await factsOf(all.log, run, 'review.given' as never)).toEqual([]);
});

testInTurn('T9 of two approvals at the same moment exactly one is taken, and the other is told of it', async () => {
  const all = await harness();
  const run = await leftWaiting(all, all.options);
  const both = await Promise.all([true, false].map((granted) => all.loops().grant(run, { granted })));
  expect(both.map(({ kind }) => kind).toSorted()).toEqual(['received', 'refused']);
  expect(both.find(({ kind }) => kind === 'refused')).toMatchObject({ because: 'answered_before' });
  expect(await factsOf(all.log, run, 'review.given' as never)).toHaveLength(1);
});

testInTurn(
  'T9 an approval that an abort has withdrawn is not taken for the one that was answered before it',
  async () => {
    const all = await harness();
    const live = await all.start(all.options);
    await untilWaiting(live);
    const before = await all.approval(live.run);
    await all.loops().grant(live.run, { granted: false });
    const digestNow = async () => (await all.loops().questions(live.run))?.[0]?.approval?.digest ?? before.digest;
    await expect.poll(digestNow).not.toBe(before.digest);
    await live.abort('enough');
    await live.done;
    for (const call of [CALL, undefined]) {
      const late = await all.loops().grant(live.run, { granted: true, ...(call === undefined ? {} : { call }) });
      expect(late).toMatchObject({
        because: 'nothing_asked',
        message: expect.stringMatching(new RegExp(`call ${CALL}, asked at \\S+Z, was withdrawn without an answer$`)),
      });
      expect(late).not.toHaveProperty('first');
    }
  },
);

testInTurn('T9 an approval is no text, and a second permission is told of the first', async () => {
  const all = await harness();
  const run = await leftWaiting(all, all.options);
  expect(await all.loops().answer(run, { text: 'yes' })).toMatchObject({ because: 'asks_for_approval' });
  const other = office({ answers: [{ calls: [request(process.cwd()), ask('Tabs?')] }, { text: 'done' }] });
  const asking = await leftWaiting(other);
  await other.loops().grant(asking, { granted: false });
  expect(await other.loops().grant(asking, { call: '0.0', granted: true })).toMatchObject({
    because: 'answered_before',
    first: { answer: `denied: ${process.cwd()}` },
  });
});
