import { describe, expect, test } from 'vitest';
import {
  type AnyStateMachine,
  assign,
  createMachine,
  enqueueActions,
  fromCallback,
  not,
  raise,
  spawnChild,
} from 'xstate';
import type { LoopEvent, Recorded } from '../../../machines/events.ts';
import { compilationOf } from '../../../src/kernel/compiled/compile.ts';
import { refusal, step } from '../../../src/kernel/step.ts';
import { SideBySide } from './side-by-side.ts';

const external = fromCallback(() => {});
const started = { type: 'run.started', payload: {}, at: '', version: 1 } as never;
const eventOf = (type: string) => ({ type, payload: {}, at: '', version: 2 }) as unknown as Recorded<LoopEvent>;

interface Parts {
  readonly root?: object;
  readonly named?: object;
  /** A state that no event leads to. */
  readonly aside?: object;
}

/** A chart of two states, `first` and `second`, that `go` leads between. */
const chart = (first: object, more: Parts = {}): AnyStateMachine =>
  createMachine(
    {
      id: 'm',
      initial: 'first',
      context: { n: 0 },
      ...more.root,
      states: { first: { on: { go: 'second' }, ...first }, second: { on: { go: 'first' } }, aside: more.aside ?? {} },
    } as never,
    { actors: { named: external }, ...more.named } as never,
  );

/** What the compiler does not know, and the reason it gives. */
const unknown: Readonly<Record<string, readonly [AnyStateMachine, string]>> = {
  'a machine of one state': [createMachine({ id: 'm' }), 'its root is an atomic state'],
  'a parallel root': [createMachine({ type: 'parallel', states: { a: {}, b: {} } }), 'its root is a parallel state'],
  'a parallel state': [chart({ type: 'parallel', states: { a: {}, b: {} } }), 'first is a parallel state'],
  history: [chart({ initial: 'a', states: { a: {}, back: { type: 'history' } } }), 'first.back is a history state'],
  'an ending inside': [
    chart({ initial: 'a', states: { a: { on: { go: 'b' } }, b: { type: 'final' } }, onDone: 'second' }),
    'first has transitions that its end takes',
  ],
  'an ending inside that nothing follows': [
    chart({ initial: 'a', states: { a: { on: { go: 'b' } }, b: { type: 'final' } } }),
    'first.b is an ending inside of a state',
  ],
  'an output': [chart({}, { root: { output: 1 } }), 'its root has an output'],
  'a delay': [chart({ after: { 1000: 'second' } }), 'first has delayed transitions'],
  'an answer of a child': [
    chart({ invoke: { id: 'child', src: 'named', onDone: 'second' } }),
    'first invokes child with onDone',
  ],
  'an actor in place': [chart({ invoke: { src: external } }), 'an actor without a name is started'],
  'an actor that is not implemented': [
    chart({}, { aside: { invoke: { id: 'child', src: 'missing' } } }),
    'the actor missing is not implemented',
  ],
  'a machine as an actor': [
    chart({ invoke: { id: 'child', src: 'inner' } }, { named: { actors: { inner: createMachine({}) } } }),
    'the actor inner is a machine itself',
  ],
  'an id of its own for each child': [
    chart({ entry: spawnChild('named', { id: () => 'one' }) }),
    'the actor named is started without a fixed id',
  ],
  'a name in the whole system': [
    chart({}, { aside: { entry: spawnChild('named', { id: 'one', systemId: 'everywhere' }) } }),
    'the actor named has a systemId',
  ],
  'a wildcard': [chart({ on: { 'go.*': 'second' } }), 'first takes go.*'],
  'an event of XState': [chart({ on: { 'xstate.done.actor.x': 'second' } }), 'first takes xstate.done.actor.x'],
  'several targets': [
    chart({ on: { go: ['second', 'first'].map((target) => ({ target: [target, 'second'] })) } }),
    'several',
  ],
  'its root as a target': [chart({ on: { go: '#m' } }), 'first on go enters its root again'],
  'a guard made of others': [chart({ on: { go: { guard: not(() => true), target: 'second' } } }), 'is made of others'],
  'a guard that is not implemented': [
    chart({ on: { go: { guard: 'missing', target: 'second' } } }),
    'the guard missing is not a function',
  ],
  'an event that a state raises': [chart({ entry: raise({ type: 'go' }) }), 'an action is xstate.raise'],
};

describe('a machine with a part that the compiler does not know is left to XState as a whole', () => {
  const events = ['go', 'go.on', 'none'].map(eventOf);

  test.each(Object.entries(unknown))('%s', (_what, [machine, because]) => {
    expect(compilationOf(machine)).toEqual({ kind: 'interpreted', because: expect.stringContaining(because) });
    const both = new SideBySide(machine, started, events);
    both.tryAll();
    for (const event of [...events, ...events]) both.take(event);
    expect(both.left).toBe(6);
  });
});

describe('one step is left to XState', () => {
  const take = (machine: AnyStateMachine) => {
    expect(compilationOf(machine)).toMatchObject({ kind: 'compiled' });
    const both = new SideBySide(machine, started, [eventOf('go')]);
    for (let n = 0; n < 3; n += 1) both.take(eventOf('go'));
    return both;
  };
  const leaving = (exit: unknown) => chart({ exit });

  test('where an action asks for what only XState has, also one that catches the refusal', () => {
    const raising = enqueueActions(({ enqueue }) => enqueue.raise({ type: 'go' } as never));
    expect(take(leaving(raising)).left).toBe(3);
    const caught = assign(({ spawn }: { spawn(actor: string, options: object): unknown }) => {
      try {
        spawn('named', { id: 'spawned' });
      } catch {
        // As a user's action may.
      }
      return { n: 1 };
    });
    const both = take(leaving(caught));
    expect(both.left).toBe(2);
    expect(Object.keys(both.ours.children)).toEqual(['spawned']);
  });

  test('where it throws, so that the error is the same', () => {
    const broken = assign(() => {
      throw new Error('broken');
    });
    expect(take(leaving(broken)).left).toBe(3);
    const fussy = () => {
      throw new Error('fussy');
    };
    const both = take(chart({ on: { go: { guard: fussy, target: 'second' } } }));
    expect(() => refusal(both.ours, eventOf('go'))).toThrow(
      /Unable to evaluate guard.*'go' in state node 'm.first':\nfussy/s,
    );
  });

  test('where the machine never comes to rest, at the limit that the machine has', () => {
    const begun = ({ context }: { context: { n: number } }) => context.n > 0;
    const turns = assign({ n: 1 });
    const parts = { on: { go: { actions: turns } }, always: { guard: begun, actions: turns } };
    const both = take(chart(parts, { root: { options: { maxIterations: 4 } } }));
    expect(() => step(both.ours.machine, both.ours, eventOf('go'))).toThrow('more than 4 microsteps');
    expect(both.left).toBe(3);
  });
});

test('a question about one event decides nothing about another, or about the same event in another state', () => {
  const even = ({ context }: { context: { n: number } }) => context.n % 2 === 0;
  const count = assign(({ context }: { context: { n: number } }) => ({ n: context.n + 1 }));
  const machine = chart({ on: { go: { guard: even, target: 'second' }, count: { actions: count } } });
  const both = new SideBySide(machine, started, []);
  const [go, counts] = [eventOf('go'), eventOf('count')];
  expect(refusal(both.ours, go)).toBeNull();
  both.take(counts);
  both.take(go);
  expect(both.ours.value).toBe('first');
  const before = both.ours;
  expect(refusal(before, go)).toBe('unexpected');
  both.take(counts);
  both.take(go);
  expect(both.ours.value).toBe('second');
});
