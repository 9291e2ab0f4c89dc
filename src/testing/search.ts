import fc from 'fast-check';
import type { LoopDefinition } from '../kernel/loop-definition.ts';
import { within } from './ambient/ambient.ts';
import { walkAmbient } from './ambient/ambients.ts';
import { type RandomRun, randomRuns } from './choices.ts';
import { invariants as all } from './invariants/index.ts';
import type { Invariant } from './invariants/invariant.ts';
import { type RandomWalk, randomWalk } from './random-walk.ts';
import type { ProofEnvironment } from './proof-environment.ts';

export interface Search {
  /** The same seed gives the same runs. */
  readonly seed: number;
  /** The least number of accepted events to check. */
  readonly events: number;
  /** Default: the invariants of every loop. */
  readonly invariants?: readonly Invariant[];
  /** One run in so many is checked thoroughly, which takes about ten times as long. Default: 25. */
  readonly thoroughOneIn?: number;
  /** Called with every run that holds. */
  readonly watch?: (run: RandomWalk) => void;
}

/** A run in which an invariant does not hold. */
export interface Violation {
  readonly invariant: string;
  readonly error: unknown;
  /** Null where folding itself threw. */
  readonly run: RandomWalk | null;
  readonly drawn: RandomRun;
  /** The seed of the search that found it. */
  readonly seed: number;
}

const FOLDING = 'folding any prefix never throws';
/** The number of runs drawn from one seed; the next ones are drawn from the next seed. */
const RUNS_A_SEED = 50;
const NEXT_SEED = 65_537;
const MAX_SHRINKING_MS = 20_000;

/**
 * The first run of a seed in which an invariant does not hold, not shrunk. Null where all hold for so many events.
 *
 * @example
 * const violation = firstViolation(loop, environment, { seed: 1, events: 5_000 });
 * if (violation) throw new Error(`${violation.invariant} does not hold`, { cause: violation.error });
 */
export const firstViolation = (loop: LoopDefinition, environment: ProofEnvironment, search: Search): Violation | null =>
  violationIn(loop, environment, search, false);

/** The same, shrunk to fewer and simpler choices. Takes seconds where a violation is found. */
export const smallestViolation = (
  loop: LoopDefinition,
  environment: ProofEnvironment,
  search: Search,
): Violation | null => violationIn(loop, environment, search, true);

function violationIn(
  loop: LoopDefinition,
  environment: ProofEnvironment,
  search: Search,
  isShrunk: boolean,
): Violation | null {
  const { events, watch, thoroughOneIn = 25, invariants = all } = search;
  const arbitrary = randomRuns(environment, { thoroughOneIn });
  const look = (drawn: RandomRun) =>
    within(
      walkAmbient(),
      () => {},
      () => lookAt(loop, environment, drawn, invariants),
    );
  let seen = 0;
  const property = fc.property(arbitrary, (drawn) => {
    if (seen >= events) return;
    const { run, violation } = look(drawn);
    if (violation) throw new Error(violation.invariant, { cause: violation.error });
    seen += run?.happenings.length ?? 0;
    if (run) watch?.(run);
  });
  for (let seed = search.seed; seen < events; seed = (seed + NEXT_SEED) | 0) {
    const before = seen;
    const limit = isShrunk ? { interruptAfterTimeLimit: MAX_SHRINKING_MS } : { endOnFailure: true };
    const { counterexample } = fc.check(property, { seed, numRuns: RUNS_A_SEED, ...limit });
    const [drawn] = counterexample ?? [];
    if (drawn) return found(look(drawn), drawn, search.seed);
    if (seen === before)
      throw new Error(`the environment of ${loop.id} offers no event that is ever accepted: add answers or remarks`);
  }
  return null;
}

interface Look {
  readonly run: RandomWalk | null;
  readonly violation: Pick<Violation, 'invariant' | 'error'> | null;
}

function lookAt(
  loop: LoopDefinition,
  environment: ProofEnvironment,
  { opening, choices, thorough }: RandomRun,
  invariants: readonly Invariant[],
): Look {
  const opened = environment.openings[opening];
  if (!opened) throw new Error(`no opening ${opening}`);
  let run: RandomWalk | null = null;
  let invariant = FOLDING;
  try {
    run = randomWalk(loop, environment, opened, choices);
    for (const { name, looks, check } of invariants) {
      if (looks === 'thorough' && !thorough) continue;
      invariant = name;
      check(run, loop);
    }
    return { run, violation: null };
  } catch (error) {
    return { run, violation: { invariant, error } };
  }
}

function found({ run, violation }: Look, drawn: RandomRun, seed: number): Violation {
  if (!violation)
    throw new Error('the same choices led to another run: a function of the loop or of its environment is not pure');
  return { ...violation, run, drawn, seed };
}
