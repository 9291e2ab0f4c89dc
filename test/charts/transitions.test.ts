import { describe, expect, test } from 'vitest';
import { setup } from 'xstate';
import { catalogue, loopNameOf } from '../../machines/index.ts';
import { arrowsOf, transitionId, transitionsOf } from '../../src/charts/transitions.ts';
import { taken } from '../../src/kernel/step.ts';
import type { Loop } from '../support/facts.ts';
import { randomRunsOf, walkOf } from '../support/random.ts';
import { fc } from '../support/fast-check.ts';
import { seed } from '../support/seed.ts';

describe.each(catalogue)('$id', ({ id, machine }) => {
  const all = transitionsOf(machine).map((transition) => transition.id);

  test('gives each of its transitions a name of its own', () => {
    expect(new Set(all).size).toBe(all.length);
    expect(all.length).toBeGreaterThan(40);
  });

  test('names what an event takes, and what follows by itself', () => {
    const loop = loopNameOf(id) as Loop;
    const happenings = fc
      .sample(randomRunsOf(loop), { numRuns: 30, seed })
      .flatMap((chance) => walkOf(loop, chance).happenings);
    const names = happenings.map(({ event, before }) => taken(machine, before.snapshot, event).map(transitionId));
    expect(names.length).toBeGreaterThan(50);
    for (const [first] of names) expect(all).toContain(first);
    for (const name of names.flat()) expect(all).toContain(name);
    expect(names.flat().some((name) => name.includes(' always '))).toBe(true);
  });
});

describe('a door', () => {
  const door = setup({ guards: { isOiled: () => true } }).createMachine({
    id: 'door',
    initial: 'shut',
    on: { push: '.open', pull: '.open', kick: '.open' },
    states: {
      shut: {
        on: { push: {}, pull: { guard: 'isOiled', target: 'open' }, kick: { guard: () => false, target: 'open' } },
      },
      open: { type: 'final' },
    },
  });

  test('has guards without a name, too', () =>
    expect(
      transitionsOf(door)
        .filter(({ guard }) => guard === 'inline')
        .map(({ id }) => id),
    ).toEqual(['shut kick 0']));

  test('leads on from where it is shut, also by what holds anywhere, unless that is taken there whatever happens', () =>
    expect(arrowsOf(door)).toEqual([
      { id: 'shut push 0', from: 'shut', to: null, isClosed: true },
      { id: 'shut pull 0', from: 'shut', to: 'open', isClosed: false },
      { id: 'shut kick 0', from: 'shut', to: 'open', isClosed: false },
      { id: 'anywhere pull 0', from: 'shut', to: 'open', isClosed: false },
      { id: 'anywhere kick 0', from: 'shut', to: 'open', isClosed: false },
    ]));
});
