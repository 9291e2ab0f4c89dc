import type { LoopDefinition } from '../../runtime/loop-definition.ts';
import { within } from '../ambient/ambient.ts';
import { here } from '../ambient/elsewhere.ts';
import type { Invariant } from '../invariants/invariant.ts';
import { InvariantBroken } from '../invariants/invariant.ts';
import { firstViolation, smallestViolation, type Violation } from '../search.ts';
import { type Wandering, wander } from '../wander.ts';
import type { World } from '../world.ts';
import { type Proof, ProofError } from './proof.ts';
import { asDated, toldRun } from './told-run.ts';

export interface Chances {
  readonly seed: number;
  /** How many accepted events each search looks at. */
  readonly events: number;
}

/** Everything holds in as many runs as chance makes; where something does not, in the smallest run that shows it. */
export function invariantProofs(loop: LoopDefinition, speaks: () => World, all: readonly Invariant[], chances: Chances): Proof[] {
  const { seed, events } = chances;
  let holdTogether: boolean | null = null;
  /** One search looks for all of them. Only where it finds something, each is looked for by itself. */
  const allHold = (): boolean => (holdTogether ??= firstViolation(loop, speaks(), { seed, events, invariants: all }) === null);
  /** Where folding throws nothing can be said of any of them: the run that shows it is looked for once. */
  let stumble: Violation | null = null;
  return all.map((invariant) => ({
    name: invariant.name,
    prove() {
      if (allHold()) return;
      const world = speaks();
      const violation = stumble ?? smallestViolation(loop, world, { seed, events, invariants: [invariant] });
      if (violation?.run === null) stumble = violation;
      if (violation) throw within(here(), () => {}, () => failure(invariant.name, loop, world, violation));
    },
  }));
}

function failure(proof: string, loop: LoopDefinition, world: World, violation: Violation): ProofError {
  const { error, seed, chance } = violation;
  const what = error instanceof Error ? error.message : String(error);
  const { run, stumbles } = shown(loop, world, violation);
  const opening = world.openings[chance.opening];
  const until = error instanceof InvariantBroken ? error.version : Infinity;
  const events = run ? asDated(run.happenings.map(({ event }) => event).filter(({ version }) => version <= until), run.started.at) : [];
  const sentence = opening ? toldRun(loop, { name: chance.opening, event: opening }, events) : null;
  const where = `seed ${seed}; the smallest run that shows it${stumbles ? ', up to where folding throws' : ''}:`;
  return new ProofError(proof, `${what}\n${where}`, sentence, error);
}

/** The run of a violation. Where folding it has thrown: as much of it as can be folded. */
function shown(loop: LoopDefinition, world: World, { run, chance }: Violation): { readonly run: Wandering | null; readonly stumbles: boolean } {
  const opening = world.openings[chance.opening];
  if (run || !opening) return { run, stumbles: false };
  let longest: Wandering | null = null;
  try {
    for (let length = 0; length <= chance.choices.length; length += 1) {
      longest = wander(loop, world, opening, chance.choices.slice(0, length));
    }
  } catch {
    return { run: longest, stumbles: true };
  }
  return { run: longest, stumbles: true };
}
