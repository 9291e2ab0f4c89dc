import { expect } from 'vitest';
import { ContestEvent } from '../../../machines/events.ts';
import { contestLoop } from '../../../src/loops/contest/definition.ts';
import { proofsOf } from '../../../src/testing/proofs/proofs-of.ts';
import { environments } from '../../support/environments.ts';
import { testInTurn } from '../../support/in-turn.ts';
import { seed } from '../../support/seed.ts';
import { tenthOfMany } from '../../support/tenth.ts';

/** Of random runs. */
const EVENTS = 50_000;

const isOwn = (event: unknown): boolean => ContestEvent.safeParse(event).success;
const environment = { ...environments.contest, noise: environments.contest.noise.filter(isOwn) };

const proofs = proofsOf({ ...contestLoop, events: ContestEvent }, environment, { seed, events: tenthOfMany(EVENTS) });

testInTurn.each(proofs)('X6 the contest: $name', ({ prove }) => expect(prove).not.toThrow());
