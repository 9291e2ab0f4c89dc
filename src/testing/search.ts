import fc from 'fast-check';
import type { LoopDefinition } from '../runtime/loop-definition.ts';
import { within } from './ambient/ambient.ts';
import { here } from './ambient/elsewhere.ts';
import { type Chance, chances } from './choices.ts';
import { invariants as all } from './invariants/index.ts';
import type { Invariant } from './invariants/invariant.ts';
import { type Wandering, wander } from './wander.ts';
import type { World } from './world.ts';

export interface Search {
  /** The same seed gives the same runs. */
  readonly seed: number;
  /** How many accepted events are looked at, at least. */
  readonly events: number;
  /** Those of every loop, if not said. */
  readonly invariants?: readonly Invariant[];
  /** One run in so many is looked at thoroughly, which takes about ten times as long. 25 if not said. */
  readonly thoroughOneIn?: number;
  /** Sees every run in which nothing was wrong. */
  readonly watch?: (run: Wandering) => void;
}

/** A run in which something does not hold. */
export interface Violation {
  readonly invariant: string;
  readonly error: unknown;
  /** Null where folding itself has thrown. */
  readonly run: Wandering | null;
  readonly chance: Chance;
  /** Of the search that has found it. */
  readonly seed: number;
}

const FOLDING = 'folding any prefix never throws';
/** So many runs are drawn from one seed; the next ones from the next seed. */
const RUNS_A_SEED = 50;
const NEXT_SEED = 65_537;
const MAX_SHRINKING_MS = 20_000;

/**
 * The first run of a seed in which an invariant does not hold, as it was found. Null where all hold in so many events.
 *
 * @example
 * const violation = firstViolation(loop, world, { seed: 1, events: 5_000 });
 * if (violation) throw new Error(`${violation.invariant} does not hold`, { cause: violation.error });
 */
export const firstViolation = (loop: LoopDefinition, world: World, search: Search): Violation | null =>
  violationIn(loop, world, search, false);

/** The same, made as small as it goes: fewer choices, simpler ones. Takes seconds where there is something to find. */
export const smallestViolation = (loop: LoopDefinition, world: World, search: Search): Violation | null =>
  violationIn(loop, world, search, true);

function violationIn(loop: LoopDefinition, world: World, search: Search, isShrunk: boolean): Violation | null {
  const { events, watch, thoroughOneIn = 25, invariants = all } = search;
  const arbitrary = chances(world, { thoroughOneIn });
  const look = (chance: Chance) => within(here(), () => {}, () => lookAt(loop, world, chance, invariants));
  let seen = 0;
  const property = fc.property(arbitrary, (chance) => {
    if (seen >= events) return;
    const { run, violation } = look(chance);
    if (violation) throw new Error(violation.invariant, { cause: violation.error });
    seen += run?.happenings.length ?? 0;
    if (run) watch?.(run);
  });
  for (let seed = search.seed; seen < events; seed = (seed + NEXT_SEED) | 0) {
    const before = seen;
    const limit = isShrunk ? { interruptAfterTimeLimit: MAX_SHRINKING_MS } : { endOnFailure: true };
    const { counterexample } = fc.check(property, { seed, numRuns: RUNS_A_SEED, ...limit });
    const [chance] = counterexample ?? [];
    if (chance) return found(look(chance), chance, search.seed);
    if (seen === before) throw new Error(`nothing happens in a world of ${loop.id}: no answer and no remark is ever taken`);
  }
  return null;
}

interface Look {
  readonly run: Wandering | null;
  readonly violation: Pick<Violation, 'invariant' | 'error'> | null;
}

function lookAt(loop: LoopDefinition, world: World, { opening, choices, thorough }: Chance, invariants: readonly Invariant[]): Look {
  const opened = world.openings[opening];
  if (!opened) throw new Error(`no opening ${opening}`);
  let run: Wandering | null = null;
  let invariant = FOLDING;
  try {
    run = wander(loop, world, opened, choices);
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

function found({ run, violation }: Look, chance: Chance, seed: number): Violation {
  if (!violation) throw new Error('the same choices have led to another run: something in it is not pure');
  return { ...violation, run, chance, seed };
}
