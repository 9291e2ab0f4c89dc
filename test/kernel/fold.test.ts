import { describe, expect, test } from 'vitest';
import type { EventOf, LoopEvent, Recorded } from '../../machines/events.ts';
import { Ending } from '../../machines/outcome.ts';
import { fold, freezeState, open, type RunState, thawState, tracedFold } from '../../src/kernel/fold.ts';
import { placeOf } from '../../src/kernel/position.ts';
import { refusal, taken } from '../../src/kernel/step.ts';
import { testInTurn } from '../support/in-turn.ts';
import { randomRunsOf, walkOf } from '../support/random.ts';
import * as has from '../support/facts.ts';
import { fc } from '../support/fast-check.ts';
import { timeAt } from '../support/given.ts';
import { iterationPlaces, turnPlaces, wayTo } from '../support/places.ts';
import { seed } from '../support/seed.ts';

const loops = ['turn', 'iteration'] as const;

describe.each(loops)('%s: whatever happens', (loop) => {
  test('a run is folded to the same states while others are', () =>
    fc.assert(
      fc.property(randomRunsOf(loop), randomRunsOf(loop), (chance, other) => {
        const { started, happenings } = walkOf(loop, chance);
        const between = walkOf(loop, other).happenings.values();
        let folded = recordedOpening(started);
        for (const { event, after } of happenings) {
          const { value } = between.next();
          if (value) fold(value.before, value.event);
          folded = fold(folded, event);
          expect(freezeState(folded)).toEqual(freezeState(after));
        }
      }),
      { numRuns: 40, seed },
    ));

  testInTurn('a traced fold leads to the same state, and names the transitions that the step takes', () =>
    fc.assert(
      fc.property(randomRunsOf(loop), (chance) => {
        for (const { before, event, after } of walkOf(loop, chance).happenings) {
          const { state, transitions } = tracedFold(before, event);
          expect(freezeState(state)).toEqual(freezeState(after));
          expect(transitions).toEqual(taken(before.entry.machine, before.snapshot, event));
        }
      }),
      { numRuns: 40, seed },
    ),
  );

  test('an abort, the grace, the judge and the clock bring any run to its end', () =>
    fc.assert(
      fc.property(randomRunsOf(loop), (chance) => {
        const { last } = walkOf(loop, chance);
        const steps: readonly LoopEvent[] = [
          has.abortRequested(),
          has.timerFired('grace'),
          has.decidedToEnd('abort'),
          has.timerFired('ending'),
        ];
        const end = steps.reduce((state, event) => (refused(state, event) ? state : told(state, event)), last);
        expect(Ending.options).toContain(placeOf(end.snapshot));
      }),
      { numRuns: 100, seed },
    ));
});

const refused = (state: RunState, event: LoopEvent) => refusal(state.snapshot, next(state, event)) !== null;
const next = (state: RunState, event: LoopEvent): Recorded<LoopEvent> => ({
  ...event,
  at: state.at,
  version: state.version + 1,
});
const told = (state: RunState, ...events: readonly LoopEvent[]): RunState =>
  events.reduce((before, event) => fold(before, next(before, event)), state);

const opened = (started: EventOf<'run.started'>): RunState =>
  recordedOpening({ ...started, at: timeAt(0), version: 1 });

function recordedOpening(started: Recorded<EventOf<'run.started'>>): RunState {
  const result = open(started);
  if (result.kind !== 'opened') throw new Error(`no machine ${result.machine}`);
  return result.state;
}

function at(places: typeof turnPlaces, place: string): RunState {
  const [started, ...history] = wayTo(places, place);
  if (started?.type !== 'run.started') throw new Error('a history begins with run.started');
  return told(opened(started), ...history);
}

const attempts = ({ outstanding }: RunState) =>
  Object.fromEntries(outstanding.map(({ key, attempt }) => [key, attempt]));

describe('a run is folded by the machine that wrote it', () => {
  test('or not at all: the reason names those that are known', () => {
    const { payload, type } = has.turnStarted();
    const result = open({ type, payload: { ...payload, machine: 'turn@99' }, at: timeAt(0), version: 1 });
    expect(result).toEqual({
      kind: 'unknown_machine',
      machine: 'turn@99',
      known: ['turn@1', 'iteration@1', 'ralph@1', 'improvement@1', 'contest@1'],
    });
  });

  test('a frozen state of an unknown machine is not thawed', () => {
    const frozen = freezeState(opened(has.turnStarted())) as { [name: string]: never };
    expect(thawState({ ...frozen, machine: 'turn@99' as never })).toBeNull();
  });

  test('nor is one from before the machine remembered what it does today', () => {
    const state = opened(has.turnStarted());
    const { due: _, ...older } = state.snapshot.context;
    const before = freezeState({ ...state, snapshot: { ...state.snapshot, context: older } as never });
    expect(thawState(freezeState(state))).not.toBeNull();
    expect(thawState(before)).toBeNull();
  });
});

describe('what is outstanding', () => {
  test('is known by the version that asked for it, and the place among what it asked for', () => {
    const { outstanding } = at(turnPlaces, 'tools.running');
    expect(outstanding.map(({ effect, key }) => [effect, key])).toEqual([
      ['1/0', 'deadline'],
      ['5/0', 'call.0.0'],
      ['5/1', 'call.0.1'],
    ]);
  });

  test('carries references, and says who performs it', () =>
    expect(at(turnPlaces, 'tools.awaitingPerson').outstanding.at(-1)).toEqual({
      effect: '5/1',
      key: 'call.0.1',
      actor: 'askPerson',
      input: { callId: '0.1' },
      attempt: 1,
      told: false,
    }));

  test('counts an attempt more each time the run is resumed, the new deadline its first', () => {
    const state = told(at(turnPlaces, 'tools.running'), has.paused, has.resumed(), has.paused, has.resumed());
    expect(attempts(state)).toEqual({ 'call.0.0': 3, 'call.0.1': 3, deadline: 1 });
  });

  test('a pause by itself cancels no effect', () => {
    const before = at(iterationPlaces, 'stream');
    expect(told(before, has.paused).outstanding).toEqual(before.outstanding);
  });

  test('what was told and counts as answered is gone; what owes stays, told', () => {
    const state = told(at(turnPlaces, 'verify.checking'), has.abortRequested());
    expect(state.outstanding.map(({ key, told }) => [key, told])).toEqual([
      ['deadline', false],
      ['checks', true],
      ['grace', false],
    ]);
  });
});

describe('a paused run', () => {
  test('stays paused while final results arrive', () => {
    const paused = told(at(turnPlaces, 'tools.running'), has.paused);
    expect(paused.paused).toBe(true);
    expect(told(at(turnPlaces, 'tools.running'), has.toolInterrupted('0.0')).paused).toBe(false);
    expect(told(paused, has.toolInterrupted('0.0')).paused).toBe(true);
  });

  test.each([has.resumed(), has.abortRequested()])('continues after $type', (event) =>
    expect(told(at(turnPlaces, 'stream.asking'), has.paused, event).paused).toBe(false),
  );

  test('goes on as a continuation', () =>
    expect(told(at(turnPlaces, 'decide.judging'), has.paused, has.continued()).paused).toBe(false));

  test('is frozen and thawed as one', () => {
    const paused = told(at(turnPlaces, 'tools.running'), has.paused);
    expect(thawState(freezeState(paused))).toMatchObject({
      paused: true,
      version: 6,
      at: paused.at,
      outstanding: paused.outstanding,
    });
  });
});
