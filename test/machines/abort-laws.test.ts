// Over 300 lines because an abort is tried in every state of both charts.
import { describe, expect, test } from 'vitest';
import { iteration } from '../../machines/iteration.machine.ts';
import { turn } from '../../machines/turn.machine.ts';
import * as has from '../support/facts.ts';
import { timeAt, type Consequence, given, later } from '../support/given.ts';
import { isFinal, iterationPlaces, turnPlaces, wayTo } from '../support/places.ts';

type Stopped = Pick<Consequence, 'state' | 'starts' | 'stops' | 'cancels' | 'pending'>;
const awaited = (...told: string[]): Stopped => ({
  state: 'decide.aborting',
  starts: ['grace'],
  cancels: told,
  pending: Object.fromEntries(told.map((key) => [key, 'told' as const])),
});
const atOnce = (stopped: string): Stopped => ({
  state: 'decide.judging',
  starts: ['grace', 'judge'],
  stops: [stopped, 'grace'],
  pending: {},
});

/** What an abort stops in each place that it reaches. */
const turnStops: Readonly<Record<string, Stopped>> = {
  'decide.judging': atOnce('judge'),
  'stream.asking': awaited('model'),
  'stream.waiting': atOnce('retry'),
  'stream.compacting': awaited('compaction'),
  'tools.admitting': atOnce('admission'),
  'tools.running': awaited('call.0.0', 'call.0.1'),
  'tools.awaitingPerson': { ...awaited('call.0.0', 'call.0.1'), starts: ['deadline', 'grace'] },
  'verify.baseline': awaited('checks'),
  'verify.capturing': awaited('capture'),
  'verify.checking': awaited('checks'),
  'verify.disputed': { ...awaited('groundsRuling'), starts: ['deadline', 'grace'] },
};
const iterationStops: Readonly<Record<string, Stopped>> = {
  'decide.judging': atOnce('judge'),
  stream: awaited('agent'),
  tools: awaited('capture'),
  'verify.baseline': awaited('checks'),
  'verify.checking': awaited('checks'),
  'verify.disputed': { ...awaited('groundsRuling'), starts: ['deadline', 'grace'] },
};

const both = [
  ['turn', turn, turnPlaces, turnStops],
  ['iteration', iteration, iterationPlaces, iterationStops],
] as const;

describe.each(both)('T11 %s', (_name, machine, places, stops) => {
  test('T11 these tests abort in every place but the last ones', () => {
    const last = ['decide.aborting', 'decide.ending.summarising', 'decide.ending.farewell'];
    const open = Object.keys(places).filter((place) => !isFinal(place) && !last.includes(place));
    expect(Object.keys(stops).toSorted()).toEqual(open.toSorted());
  });

  test.each(Object.entries(stops))('T11 an abort in %s', (place, expected) => {
    const history = wayTo(places, place);
    given(machine, ...history)
      .when(has.abortRequested('user', 'enough'))
      .then({
        ...expected,
        remembers: {
          abort: { cause: 'user', reason: 'enough', version: history.length + 1 },
          deadlinePassed: false,
          due: { grace: timeAt(history.length * 1000 + has.GRACE_MS) },
        },
      });
  });

  test.each(Object.entries(stops))('L17 the deadline in %s', (place, expected) =>
    given(machine, ...wayTo(places, place))
      .when(has.timerFired('deadline'))
      .then({ ...expected, stops: withDeadline(expected.stops), remembers: { abort: null, deadlinePassed: true } }),
  );
});

/** The deadline has answered and is dismissed, before what the new state tidies up. */
const withDeadline = ([left, ...rest]: readonly string[] = []) => [
  ...(left === undefined ? [] : [left]),
  'deadline',
  ...rest,
];

describe.each(both)('%s, aborting', (_name, machine, places) => {
  const aborting = wayTo(places, 'decide.aborting');
  const working = aborting.slice(0, -1);

  test('a second abort adds nothing, least of all more grace', () =>
    given(machine, ...aborting)
      .when(later(3000, has.abortRequested('signal', 'now!')))
      .then({
        state: 'decide.aborting',
        remembers: { abort: { cause: 'user', reason: null, version: 4 }, due: { grace: timeAt(3000 + has.GRACE_MS) } },
      }));

  test('nor does the deadline, which is noted all the same', () =>
    given(machine, ...aborting)
      .when(later(3000, has.timerFired('deadline')))
      .then({
        state: 'decide.aborting',
        stops: ['deadline'],
        remembers: { deadlinePassed: true, abort: { cause: 'user' }, due: { grace: timeAt(3000 + has.GRACE_MS) } },
      }));

  test('an abort after the deadline is noted, within the same grace', () =>
    given(machine, ...working, has.timerFired('deadline'))
      .when(has.abortRequested('signal'))
      .then({
        state: 'decide.aborting',
        remembers: {
          deadlinePassed: true,
          abort: { cause: 'signal', version: 5 },
          due: { grace: timeAt(3000 + has.GRACE_MS) },
        },
      }));

  test('when the grace is over the judge is asked, and who has not answered is waited for no longer', () =>
    given(machine, ...aborting)
      .when(later(has.GRACE_MS, has.timerFired('grace')))
      .then({ state: 'decide.judging', starts: ['judge'], stops: ['grace'], pending: {} }));

  test('an abort after the grace is over buys no second one', () =>
    given(machine, ...aborting, has.timerFired('grace'))
      .when(has.abortRequested())
      .then({
        state: 'decide.judging',
        starts: ['grace', 'judge'],
        stops: ['judge', 'grace'],
        remembers: { abort: { version: 4 } },
      }));

  test.each(['ending', 'retry'] as const)('the %s timer does not end the grace', (timer) =>
    given(machine, ...aborting)
      .when(has.timerFired(timer))
      .thenRefused('unexpected'),
  );

  test('the grace timer means nothing elsewhere', () =>
    given(machine, ...working)
      .when(has.timerFired('grace'))
      .thenRefused('unexpected'));

  test('results of effects that are not pending are refused', () => {
    for (const event of [has.workspaceCaptured(), has.workspaceFailed, has.checked(true), has.interrupted('capture')]) {
      given(machine, ...aborting)
        .when(event)
        .thenRefused('unexpected');
    }
  });

  test('after the grace no result is taken', () =>
    given(machine, ...aborting, has.timerFired('grace'))
      .when(machine.id === 'turn' ? has.modelInterrupted : has.attemptSettled())
      .thenRefused('unexpected'));

  test.each(['tree-9', null])('a capture that was told still counts: %s', (hash) =>
    given(machine, ...wayTo(places, machine.id === 'turn' ? 'verify.capturing' : 'tools'), has.abortRequested())
      .when(has.workspaceCaptured(hash))
      .then({ ...answered(), remembers: { workspace: hash } }),
  );

  test('checks that were told still count', () =>
    given(machine, ...wayTo(places, 'verify.checking'), has.abortRequested())
      .when(has.checked(true))
      .then({ ...answered(), remembers: { verification: { passed: true, version: 7 } } }));

  test.each([
    ['workspace.failed', machine.id === 'turn' ? 'verify.capturing' : 'tools', has.workspaceFailed],
    ['an interrupted capture', machine.id === 'turn' ? 'verify.capturing' : 'tools', has.interrupted('capture')],
    ['interrupted checks', 'verify.checking', has.interrupted('checks')],
  ] as const)('%s settles, and is no error of its own', (_what, place, event) =>
    given(machine, ...wayTo(places, place), has.abortRequested())
      .when(event)
      .then({ ...answered(), remembers: { fault: null, verification: null } }),
  );
});

/** The last result came before the grace was over: the judge is asked. */
const answered = () => ({ state: 'decide.judging', starts: ['judge'], stops: ['grace'], pending: {} });

describe('turn, aborting: cancelled effects still have to complete, and their usage counts', () => {
  const asking = [...wayTo(turnPlaces, 'stream.asking'), has.abortRequested()];
  const compacting = [...wayTo(turnPlaces, 'stream.compacting'), has.abortRequested()];
  const running = [...wayTo(turnPlaces, 'tools.running'), has.abortRequested()];
  const paid = { inputTokens: 10, outputTokens: 1 };

  test.each([
    [has.modelInterrupted, { spend: paid, answer: null, finished: null }],
    [has.modelFailed, { spend: paid, fault: null }],
    [has.contextFilled, { spend: paid }],
    [has.modelLimited(timeAt(99_000)), { spend: { inputTokens: 0 }, waits: 0, due: { retry: null } }],
    [has.modelAnswered, { spend: paid, answer: { version: 5, calls: 0 }, finished: 5 }],
    [has.modelAskedFor('0.0'), { spend: paid, answer: { version: 5, calls: 1 }, finished: null }],
  ])('the model: $type', (event, remembers) =>
    given(turn, ...asking)
      .when(event)
      .then({ ...answered(), remembers }),
  );

  test('a failed request of the model counts its usage, and does not complete the effect', () =>
    given(turn, ...asking)
      .when(has.modelRetried)
      .then({ state: 'decide.aborting', pending: { model: 'told' }, remembers: { spend: paid } }));

  test('X5 what an agent of others still tells of its work is taken while it is told to stop', () =>
    given(turn, ...asking)
      .when(has.agentWorked)
      .then({ state: 'decide.aborting', pending: { model: 'told' }, remembers: { reports: 1 } }));

  test('the summary of a conversation', () => {
    given(turn, ...compacting)
      .when(has.contextCompacted)
      .then({ ...answered(), remembers: { spend: { inputTokens: 20 } } });
    given(turn, ...compacting)
      .when(has.interrupted('compaction'))
      .then({ ...answered(), remembers: { spend: { inputTokens: 20, outputTokens: 2 } } });
  });

  test.each([has.toolCompleted('0.0'), has.toolFailed('0.0'), has.toolInterrupted('0.0'), has.personAnswered('0.0')])(
    'a call: $type, and the others are still awaited',
    (event) => {
      given(turn, ...running)
        .when(event)
        .then({ state: 'decide.aborting', pending: { 'call.0.1': 'told' }, remembers: { finished: null } });
      given(turn, ...running, event)
        .when(event)
        .thenRefused('unexpected');
    },
  );

  test('T10 a cancelled tool can still declare the work finished', () =>
    given(turn, ...running)
      .when(has.toolFinished('0.0'))
      .then({ state: 'decide.aborting', remembers: { finished: 7 } }));

  test('the last call that answers ends the wait', () =>
    given(turn, ...running, has.toolInterrupted('0.0'))
      .when(has.toolInterrupted('0.1'))
      .then(answered()));

  test('results of effects that are not pending are refused', () => {
    const ofModels = [has.modelAnswered, has.modelFailed, has.modelInterrupted, has.modelLimited(), has.contextFilled];
    const events = [...ofModels, has.agentWorked];
    for (const event of events)
      given(turn, ...running)
        .when(event)
        .thenRefused('unexpected');
    for (const event of [
      has.contextCompacted,
      has.toolCompleted('0.0'),
      has.toolFailed('0.0'),
      has.toolInterrupted('0.0'),
      has.personAnswered('0.0'),
    ]) {
      given(turn, ...asking)
        .when(event)
        .thenRefused('unexpected');
    }
  });
});

describe('iteration, aborting: the attempt still owes its end, and its cost', () => {
  const aborting = wayTo(iterationPlaces, 'decide.aborting');
  const spend = { inputTokens: 70, outputTokens: 7, toolCalls: 3, steps: 2 };

  test('an attempt that was told to stop adds what it spent, and not its cause', () =>
    given(iteration, ...aborting)
      .when(has.attemptSettled(has.abortedBy('parent')))
      .then({
        ...answered(),
        remembers: { spend, attempt: { version: 5, succeeded: false }, abort: { cause: 'user', version: 4 } },
      }));

  test('one that finished all the same has succeeded', () =>
    given(iteration, ...aborting)
      .when(has.attemptSettled())
      .then({ ...answered(), remembers: { attempt: { succeeded: true } } }));

  test('one that will not answer says so', () =>
    given(iteration, ...aborting)
      .when(has.interrupted('agent'))
      .then({ ...answered(), remembers: { attempt: null } }));

  test('a second result of an attempt is refused', () =>
    given(iteration, ...wayTo(iterationPlaces, 'tools'), has.abortRequested())
      .when(has.attemptSettled())
      .thenRefused('unexpected'));
});

describe('an attempt that never says what it spent', () => {
  const silent = (maxTokens: number | null) => [
    has.loopStarted({ limits: { maxTokens } }),
    has.decidedToGoOn,
    has.iterationStarted(0),
    has.abortRequested(),
  ];

  test('has spent its whole share of the tokens', () =>
    given(iteration, ...silent(1000))
      .when(later(has.GRACE_MS, has.timerFired('grace')))
      .then({
        state: 'decide.judging',
        starts: ['judge'],
        stops: ['grace'],
        remembers: { spend: { inputTokens: 0, outputTokens: 1000 } },
      }));

  test('is charged nothing where there was no share', () =>
    given(iteration, ...silent(null))
      .when(later(has.GRACE_MS, has.timerFired('grace')))
      .then({
        state: 'decide.judging',
        starts: ['judge'],
        stops: ['grace'],
        remembers: { spend: { outputTokens: 0 } },
      }));
});
