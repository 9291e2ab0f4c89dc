// What makes a machine a loop, and the rules that every loop keeps.
export { defineLoop } from '../loops/define-loop.ts';
export type { WrittenLoop } from '../loops/attempt-loop.ts';
export type { Loop } from './loop.ts';
export { lint } from './lint/lint.ts';
export { LoopRuleError } from './lint/loop-rule-error.ts';
export type { Offence } from './lint/rule.ts';

// What may happen to its runs.
export type { Outstanding, RunState } from '../kernel/fold.ts';
export type { ProofEnvironment } from './proof-environment.ts';

// A test of one event after a history.
export { type Consequence, type Dated, given } from './given-facts.ts';

// The proofs of a loop.
export type { Invariant } from './invariants/invariant.ts';
export { InvariantBroken } from './invariants/invariant.ts';
export { type Proof, ProofError } from './proofs/proof.ts';
export { type ProofOptions, proofsOf } from './proofs/proofs-of.ts';
export { ProofEnvironmentError } from './proofs/environment-of-proof.ts';
export type { Happening, RandomWalk } from './random-walk.ts';

// Why its runs end.
export { OUTSIDE, type Ranking } from '../kernel/loop-ranking.ts';
export { interruptionOf } from '../termination/life-left.ts';
export { endingLeft, lifeFalls, lifeLeft } from '../termination/life-left.ts';

// The promises of a log, for an engine of one's own.
export { logContract } from './log-contract/log-contract.ts';
export type { TestRunner } from './log-contract/contract.ts';

// The promises of a host, for one of one's own.
export { hostContract } from '../hosts/contract/host-contract.ts';
export type { HostedOptions, HostUnderTest, OpenHost } from '../hosts/contract/host-under-test.ts';
