// What makes a machine a loop, and the rules that every loop keeps.
export { defineLoop, type WrittenLoop } from '../loops/define-loop.ts';
export type { Loop } from './loop.ts';
export { lint } from './lint/lint.ts';
export { LoopRuleError } from './lint/loop-rule-error.ts';
export type { Offence } from './lint/rule.ts';

// What may happen to it.
export type { Outstanding, RunState } from '../runtime/fold.ts';
export type { World } from './world.ts';

// A run, told in one sentence.
export { type Consequence, type Dated, given } from './given.ts';

// All that is proven of it.
export type { Invariant } from './invariants/invariant.ts';
export { InvariantBroken } from './invariants/invariant.ts';
export { type Proof, ProofError } from './proofs/proof.ts';
export { type ProofOptions, proofsOf } from './proofs/proofs-of.ts';
export { WorldError } from './proofs/spoken.ts';
export type { Happening, Wandering } from './wander.ts';

// Why its runs end.
export { OUTSIDE, type Ranking } from '../runtime/ranking.ts';
export { interruptionOf } from '../termination/external.ts';
export { endingLeft, lifeFalls, lifeLeft } from '../termination/remaining.ts';
