import { describe, expect, test } from 'vitest';
import { assign, createActor, createMachine, fromCallback, initialTransition, transition } from 'xstate';
import type { LoopEvent, Recorded } from '../../machines/events.ts';
import { iteration } from '../../machines/iteration.machine.ts';
import { turn } from '../../machines/turn.machine.ts';
import { begin, freeze, type MachineSnapshot, refusal, step, thaw } from '../../src/kernel/step.ts';
import { testInTurn } from '../support/in-turn.ts';
import { randomRunsOf, walkOf } from '../support/random.ts';
import * as has from '../support/facts.ts';
import { fc } from '../support/fast-check.ts';
import { timeAt, later } from '../support/given.ts';
import { turnPlaces, wayTo } from '../support/places.ts';
import { seed } from '../support/seed.ts';
import { tenthOfMany } from '../support/tenth.ts';

const machines = { turn, iteration };

describe('a machine that is no good', () => {
  test('throws what its context throws, where XState would keep it', () => {
    const sick = createMachine({
      context: ({ input }: { input?: unknown }) => {
        if (input) throw new Error('no context');
        return {};
      },
    });
    expect(() => begin(sick, { at: timeAt(0), version: 1 } as never)).toThrow('no context');
  });

  test('throws where it never comes to rest, instead of going round for ever', () => {
    const restless = createMachine({
      initial: 'quiet',
      states: { quiet: { on: { 'run.paused': 'one' } }, one: { always: 'other' }, other: { always: 'one' } },
    });
    const { snapshot } = begin(restless, { at: timeAt(0), version: 1 } as never);
    const paused = { type: 'run.paused', payload: { by: 'user' }, at: timeAt(1), version: 2 } as const;
    expect(() => step(restless, snapshot, paused)).toThrow('more than 1000 microsteps');
  });
});

const RUNS = tenthOfMany(400);

describe('one scope for all events does what XState does with a new one for each', () => {
  testInTurn.each(['turn', 'iteration'] as const)(
    '%s: the same snapshots, the same effects in the same order',
    (loop) => {
      const machine = machines[loop];
      let compared = 0;
      const compare = (ours: ReturnType<typeof step>, theirs: ReturnType<typeof transition>) => {
        compared += 1;
        const persisted = JSON.stringify(machine.getPersistedSnapshot(theirs[0]));
        expect(freeze(machine, ours.snapshot)).toEqual(JSON.parse(persisted));
        expect(ours.effects).toEqual(theirs[1].flatMap(asEffect));
      };
      fc.assert(
        fc.property(randomRunsOf(loop), (chance) => {
          const { started, happenings, refused } = walkOf(loop, chance);
          let ours = begin(machine, started);
          let theirs = initialTransition(machine, { started });
          compare(ours, theirs);
          for (const { event } of happenings) {
            ours = step(machine, ours.snapshot, event);
            theirs = transition(machine, theirs[0], event as never);
            compare(ours, theirs);
          }
          for (const { event, at } of refused.slice(0, 5)) {
            if (at.snapshot.status !== 'active') continue;
            compare(step(machine, at.snapshot, event), transition(machine, at.snapshot, event as never));
          }
        }),
        { numRuns: RUNS, seed },
      );
      expect(compared).toBeGreaterThanOrEqual(20 * RUNS);
    },
  );
});

/** XState's own action, in our words. */
function asEffect({ type, params }: ReturnType<typeof transition>[1][number]) {
  const child = params as { id: string; src: string; input?: object } | undefined;
  if (!child) return [];
  const { id: key, src: actor, input = {} } = child;
  if (type === 'xstate.spawnChild') return [{ kind: 'start', key, actor, input }];
  return type === 'xstate.stopChild' ? [{ kind: 'stop', key }] : [];
}

function stepped(machine: typeof turn, ...history: readonly LoopEvent[]): MachineSnapshot {
  const [started, ...events] = [has.turnStarted(), ...history].map(recorded);
  let { snapshot } = begin(machine, started as Recorded<ReturnType<typeof has.turnStarted>>);
  for (const event of events) ({ snapshot } = step(machine, snapshot, event));
  return snapshot;
}

const recorded = (event: LoopEvent, index: number): Recorded<LoopEvent> => ({
  ...event,
  at: timeAt(index * 1000),
  version: index + 1,
});

describe('step', () => {
  test('says nothing of a child that is gone', () => {
    const held = stepped(turn, has.timerFired('deadline'));
    expect(held.children['deadline']).toBeUndefined();
    const { effects } = step(turn, held, recorded(has.timerFired('deadline'), 3));
    expect(effects.filter(({ kind, key }) => kind === 'stop' && key === 'deadline')).toEqual([]);
  });

  test('keeps no child that has answered: 300 calls leave the snapshot no larger than one', () => {
    const sizes = [1, 300].map((calls) => {
      const ids = Array.from({ length: calls }, (_, index) => `0.${index}`);
      const asked = [has.decidedToGoOn, has.stepStarted(0), has.modelAskedFor(...ids), has.callsAdmitted(...ids)];
      return Object.keys(stepped(turn, ...asked, ...ids.map(has.toolCompleted)).children).length;
    });
    expect(sizes).toEqual([2, 2]);
  });

  test('leaves the snapshot it was given alone', () => {
    const snapshot = stepped(turn, has.decidedToGoOn);
    const before = freeze(turn, snapshot);
    step(turn, snapshot, recorded(has.modelAnswered, 5));
    expect(freeze(turn, snapshot)).toEqual(before);
  });

  test('one event cannot see what another run did through the same machine', () => {
    const one = stepped(turn, has.decidedToGoOn);
    const alone = step(turn, one, recorded(has.modelAnswered, 5));
    stepped(turn, ...wayTo(turnPlaces, 'tools.running').slice(1));
    expect(step(turn, one, recorded(has.modelAnswered, 5)).effects).toEqual(alone.effects);
  });
});

describe('a refusal is a value', () => {
  test('unexpected, ended, or none', () => {
    const judging = stepped(turn);
    const over = stepped(turn, has.decidedToEnd('success'), has.timerFired('ending'));
    expect(refusal(judging, recorded(has.modelAnswered, 2))).toBe('unexpected');
    expect(refusal(judging, recorded(has.decidedToGoOn, 2))).toBeNull();
    expect(refusal(over, recorded(has.decidedToGoOn, 4))).toBe('ended');
  });
});

describe('freeze and thaw', () => {
  /** A machine whose actors record that they were started. */
  function telltale() {
    const woken: string[] = [];
    const names = Object.keys(turn.implementations.actors);
    const tell = (name: string) => fromCallback(() => void woken.push(name));
    const actors = Object.fromEntries(names.map((name) => [name, tell(name)]));
    return { machine: turn.provide({ actors: actors as never }), woken };
  }

  test.each(Object.keys(turnPlaces))('start nothing in %s', (place) => {
    const { machine, woken } = telltale();
    const [, ...history] = wayTo(turnPlaces, place);
    thaw(machine, freeze(machine, stepped(machine, ...history)));
    expect(woken).toEqual([]);
  });

  test('where a started actor would have told', () => {
    const { machine, woken } = telltale();
    const frozen = freeze(machine, stepped(machine, ...wayTo(turnPlaces, 'tools.running').slice(1)));
    createActor(machine, { snapshot: frozen as never })
      .start()
      .stop();
    expect(woken.toSorted()).toEqual(['runTool', 'runTool', 'timer']);
  });

  test('give back a snapshot that goes on as the one that was frozen', () => {
    const snapshot = stepped(turn, ...wayTo(turnPlaces, 'tools.running').slice(1));
    const thawed = thaw(turn, freeze(turn, snapshot));
    const event = recorded(later(0, has.toolCompleted('0.0')), 9);
    expect(step(turn, thawed, event).effects).toEqual([{ kind: 'stop', key: 'call.0.0' }]);
    const [again, first] = [thawed, snapshot].map((from) => freeze(turn, step(turn, from, event).snapshot));
    expect(again).toEqual(first);
  });
});

test('a transition that threw leaves no effects to the next', () => {
  const actor = fromCallback(() => {});
  const broken = () => {
    throw new Error('broken');
  };
  const inner = {
    initial: 'within',
    invoke: { id: 'asked', src: actor },
    states: { within: { entry: assign(broken) } },
  };
  const machine = createMachine({
    initial: 'first',
    states: { first: { on: { 'run.steered': 'second', 'run.resumed': 'third' } }, second: inner, third: {} },
  });
  const { snapshot } = begin(machine, { ...has.turnStarted(), at: timeAt(0), version: 1 });
  const dated = (event: LoopEvent) => ({ ...event, at: timeAt(0), version: 2 });
  expect(() => step(machine, snapshot, dated(has.steered))).toThrow('broken');
  expect(step(machine, snapshot, dated(has.resumed())).effects).toEqual([]);
});
