import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { catalogue } from '../../machines/index.ts';
import { transitionId, transitionsOf } from '../../src/charts/transitions.ts';
import { taken } from '../../src/runtime/step.ts';
import { chancesOf, wandered } from '../support/chance.ts';
import { seed } from '../support/seed.ts';

describe.each(catalogue)('$id', ({ id, machine }) => {
  const all = transitionsOf(machine).map((transition) => transition.id);

  test('gives each of its transitions a name of its own', () => {
    expect(new Set(all).size).toBe(all.length);
    expect(all.length).toBeGreaterThan(40);
  });

  test('names what an event takes, and what follows by itself', () => {
    const loop = id.startsWith('turn@') ? 'turn' : 'iteration';
    const happenings = fc.sample(chancesOf(loop), { numRuns: 30, seed }).flatMap((chance) => wandered(loop, chance).happenings);
    const names = happenings.map(({ event, before }) => taken(machine, before.snapshot, event).map(transitionId));
    expect(names.length).toBeGreaterThan(50);
    for (const [first] of names) expect(all).toContain(first);
    for (const name of names.flat()) expect(all).toContain(name);
    expect(names.flat().some((name) => name.includes(' always '))).toBe(true);
  });
});
