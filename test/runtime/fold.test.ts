import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { EventOf, LoopEvent, Recorded } from '../../machines/events.ts';
import { Ending } from '../../machines/outcome.ts';
import { fold, freezeState, hasEnded, lifeOf, open, type RunState, thawState } from '../../src/runtime/fold.ts';
import { begin, refusal, step } from '../../src/runtime/step.ts';
import { placeOf } from '../../src/testing/graph.ts';
import * as has from '../support/facts.ts';
import { clock } from '../support/given.ts';
import { Ledger } from '../support/ledger.ts';
import { iterationPlaces, turnPlaces, wayTo } from '../support/places.ts';
import { everything, wander, type Wandering } from '../support/wander.ts';

const loops = ['turn', 'iteration'] as const;
const choices = fc.array(fc.nat({ max: 100_000 }), { minLength: 20, maxLength: 80, size: 'max' });

/** A law of every run that chance can make. */
function always(loop: (typeof loops)[number], numRuns: number, law: (run: Wandering) => void): void {
  fc.assert(
    fc.property(choices, fc.boolean(), fc.constantFrom(0, 20), (choices, checks, maxSteps) =>
      law(wander(loop, { checks, limits: { maxSteps } }, choices)),
    ),
    { numRuns },
  );
}

describe.each(loops)('%s: whatever happens', (loop) => {
  test('what is pending and outstanding is what the log says', () =>
    always(loop, 150, ({ started, first, happenings }) => {
      const ledger = new Ledger();
      ledger.record(1, null, begin(first.entry.machine, started).effects);
      agrees(ledger, first);
      for (const { event, causation, before, after } of happenings) {
        const { effects } = step(before.entry.machine, before.snapshot, event);
        const graceIsOver = event.type === 'timer.fired' && event.payload.timer === 'grace';
        ledger.record(event.version, causation, effects, graceIsOver);
        agrees(ledger, after);
      }
    }));

  test('what a judge is asked about owes nothing any more', () =>
    always(loop, 50, ({ happenings }) => {
      for (const { after } of happenings) {
        if (placeOf(after.snapshot) === 'decide.judging') expect(lifeOf(after).pending).toEqual({});
      }
    }));

  test('what was spent is never taken back', () =>
    always(loop, 50, ({ happenings }) => {
      for (const { before, after } of happenings) {
        const [then, now] = [countersOf(before), countersOf(after)];
        const shrunk = Object.keys(then).filter((name) => Number(now[name]) < Number(then[name]));
        expect(shrunk).toEqual([]);
      }
    }));

  test('a frozen state goes on as the one that was frozen, from every version', () =>
    always(loop, 60, ({ first, happenings }) => {
      let state = first;
      for (const { event, after } of happenings) {
        const thawed = thawState(JSON.parse(JSON.stringify(freezeState(state))));
        if (!thawed) throw new Error('a state of ours does not thaw');
        expect(refusal(thawed.snapshot, event)).toBeNull();
        state = fold(thawed, event);
        expect(freezeState(state)).toEqual(freezeState(after));
      }
    }));

  test('the log alone gives the live states again, even while other runs are folded', () =>
    always(loop, 60, ({ started, happenings }) => {
      const opened = open(started);
      if (opened.kind !== 'opened') throw new Error(`no machine ${opened.machine}`);
      let folded = opened.state;
      for (const { event, after } of happenings) {
        wander(loop, { checks: true }, [event.version * 16, event.version * 32]);
        folded = fold(folded, event);
        expect(freezeState(folded)).toEqual(freezeState(after));
      }
    }));

  test('a run ends once, as its decision says, and then takes nothing', () =>
    always(loop, 150, ({ happenings, last }) => {
      const endings = happenings.filter(({ before, after }) => !hasEnded(before) && hasEnded(after));
      const decided = happenings.filter(({
        event: { type, payload },
      }) => type === 'decision.made' && 'sink' in payload);
      expect(endings.length).toBeLessThanOrEqual(1);
      expect(decided.length).toBeLessThanOrEqual(1);
      if (!hasEnded(last)) return;
      expect(endings).toHaveLength(1);
      expect(lifeOf(last).outcome?.ending).toBe(placeOf(last.snapshot));
      expect(last.outstanding).toEqual([]);
      for (const event of everything) expect(refusal(last.snapshot, next(last, event))).toBe('ended');
    }));

  test('an abort, the grace, the judge and the clock bring any run to its end', () =>
    always(loop, 60, ({ last }) => {
      const steps: readonly LoopEvent[] = [
        has.abortRequested(),
        has.timerFired('grace'),
        has.decidedToEnd('abort'),
        has.timerFired('ending'),
      ];
      const end = steps.reduce((state, event) => (refused(state, event) ? state : told(state, event)), last);
      expect(Ending.options).toContain(placeOf(end.snapshot));
    }));
});

const refused = (state: RunState, event: LoopEvent) => refusal(state.snapshot, next(state, event)) !== null;
const next = (state: RunState, event: LoopEvent): Recorded<LoopEvent> => ({
  ...event,
  at: state.at,
  version: state.version + 1,
});
const told = (state: RunState, ...events: readonly LoopEvent[]): RunState =>
  events.reduce((before, event) => fold(before, next(before, event)), state);

function agrees(ledger: Ledger, state: RunState): void {
  if (hasEnded(state)) return expect(state.outstanding).toEqual([]);
  expect(lifeOf(state).pending).toEqual(ledger.pending);
  const outstanding = state.outstanding.map(({ effect, key, actor, told }) => ({ effect, key, actor, told }));
  expect(outstanding).toEqual(ledger.outstanding);
}

function countersOf({ version, snapshot: { context } }: RunState): Readonly<Record<string, number>> {
  return { version, iterations: context.iterations ?? 0, clock: Date.parse(context.clockStart), ...context.spend };
}

function opened(started: EventOf<'run.started'>): RunState {
  const result = open({ ...started, at: clock(0), version: 1 });
  if (result.kind !== 'opened') throw new Error(`no machine ${result.machine}`);
  return result.state;
}

function at(places: typeof turnPlaces, place: string): RunState {
  const [started, ...history] = wayTo(places, place);
  if (started?.type !== 'run.started') throw new Error('a history begins with run.started');
  return told(opened(started), ...history);
}

const attempts = ({ outstanding }: RunState) => Object.fromEntries(outstanding.map(({ key, attempt }) => [key, attempt]));

describe('a run is folded by the machine that wrote it', () => {
  test('or not at all: the reason names those that are known', () => {
    const { payload, type } = has.turnStarted();
    const result = open({ type, payload: { ...payload, machine: 'turn@99' }, at: clock(0), version: 1 });
    expect(result).toEqual({ kind: 'unknown_machine', machine: 'turn@99', known: ['turn@1', 'iteration@1'] });
  });

  test('a frozen state of a machine that is unknown here is none', () => {
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

  test('a pause tells nobody by itself', () => {
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
  test('stays paused while last words come in', () => {
    const paused = told(at(turnPlaces, 'tools.running'), has.paused);
    expect(paused.paused).toBe(true);
    expect(told(at(turnPlaces, 'tools.running'), has.toolInterrupted('0.0')).paused).toBe(false);
    expect(told(paused, has.toolInterrupted('0.0')).paused).toBe(true);
  });

  test.each([has.resumed(), has.abortRequested()])('goes on with $type', (event) =>
    expect(told(at(turnPlaces, 'stream.asking'), has.paused, event).paused).toBe(false));

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
