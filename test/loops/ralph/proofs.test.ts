import { expect } from 'vitest';
import { RalphEvent } from '../../../machines/events.ts';
import { ralphLoop } from '../../../src/loops/ralph/definition.ts';
import { proofsOf } from '../../../src/testing/proofs/proofs-of.ts';
import { environments } from '../../support/environments.ts';
import { testInTurn } from '../../support/in-turn.ts';
import { seed } from '../../support/seed.ts';
import { tenthOfMany } from '../../support/tenth.ts';

/** Of random runs. */
const EVENTS = 50_000;

const isOwn = (event: unknown): boolean => RalphEvent.safeParse(event).success;
const environment = { ...environments.ralph, noise: environments.ralph.noise.filter(isOwn) };

const proofs = proofsOf({ ...ralphLoop, events: RalphEvent }, environment, { seed, events: tenthOfMany(EVENTS) });

testInTurn.each(proofs)('the Ralph loop: $name', ({ prove }) => expect(prove).not.toThrow());
