import { expect, test } from 'vitest';
import { RalphEvent } from '../../../machines/events.ts';
import { ralphLoop } from '../../../src/loops/ralph/definition.ts';
import { proofsOf } from '../../../src/testing/proofs/proofs-of.ts';
import { environments } from '../../support/environments.ts';

const isOwn = (event: unknown): boolean => RalphEvent.safeParse(event).success;
const environment = { ...environments.ralph, noise: environments.ralph.noise.filter(isOwn) };

test.each(proofsOf({ ...ralphLoop, events: RalphEvent }, environment))('the Ralph loop: $name', ({ prove }) =>
  expect(prove).not.toThrow(),
);
