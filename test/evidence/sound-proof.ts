import type { RecordedProof } from '../../machines/recorded-proof.ts';

/** A proof that nothing speaks against. */
export const sound: RecordedProof = {
  base: 'base',
  legs: [{ leg: 'base', tree: 'work', passed: true }],
  grounds: [],
  groundsChanged: 0,
  walls: 'full',
  dependenciesChanged: 0,
  pointersHome: 0,
  tests: [],
  unreported: [],
  unchanged: false,
};
