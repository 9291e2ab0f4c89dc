import { expect } from 'vitest';
import { ImprovementEvent } from '../../../machines/events.ts';
import { improvementLoop } from '../../../src/loops/improvement/definition.ts';
import { proofsOf } from '../../../src/testing/proofs/proofs-of.ts';
import { environments } from '../../support/environments.ts';
import { testInTurn } from '../../support/in-turn.ts';
import { seed } from '../../support/seed.ts';
import { tenthOfMany } from '../../support/tenth.ts';

/** Of random runs. */
const EVENTS = 50_000;

const isOwn = (event: unknown): boolean => ImprovementEvent.safeParse(event).success;
const environment = { ...environments.improvement, noise: environments.improvement.noise.filter(isOwn) };

const proofs = proofsOf({ ...improvementLoop, events: ImprovementEvent }, environment, {
  seed,
  events: tenthOfMany(EVENTS),
});

testInTurn.each(proofs)('the improvement loop: $name', ({ prove }) => expect(prove).not.toThrow());
