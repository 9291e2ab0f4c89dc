import type { LoopDefinition } from '../../kernel/loop-definition.ts';
import { within } from '../ambient/ambient.ts';
import { walkAmbient } from '../ambient/ambients.ts';
import type { Invariant } from '../invariants/invariant.ts';
import { InvariantBroken } from '../invariants/invariant.ts';
import { firstViolation, smallestViolation, type Violation } from '../search.ts';
import { type RandomWalk, randomWalk } from '../random-walk.ts';
import type { ProofEnvironment } from '../proof-environment.ts';
import { type Proof, ProofError } from './proof.ts';
import { asDated, recordedExample } from './path-proofs.ts';

export interface Sampling {
  readonly seed: number;
  /** The least number of accepted events that each search checks. */
  readonly events: number;
}

/** One proof for each invariant: it holds in random runs, or the error shows the smallest run in which it does not. */
export function invariantProofs(
  loop: LoopDefinition,
  environmentOf: () => ProofEnvironment,
  all: readonly Invariant[],
  chances: Sampling,
): Proof[] {
  const { seed, events } = chances;
  let holdTogether: boolean | null = null;
  /** One search checks all invariants. Only where it finds a violation, each is searched for by itself. */
  const allHold = (): boolean =>
    (holdTogether ??= firstViolation(loop, environmentOf(), { seed, events, invariants: all }) === null);
  /** Where folding throws, no invariant can be checked: the run that shows it is searched for once. */
  let throwing: Violation | null = null;
  return all.map((invariant) => ({
    name: invariant.name,
    prove() {
      if (allHold()) return;
      const environment = environmentOf();
      const violation = throwing ?? smallestViolation(loop, environment, { seed, events, invariants: [invariant] });
      if (violation?.run === null) throwing = violation;
      if (violation)
        throw within(
          walkAmbient(),
          () => {},
          () => failure(invariant.name, loop, environment, violation),
        );
    },
  }));
}

function failure(proof: string, loop: LoopDefinition, environment: ProofEnvironment, violation: Violation): ProofError {
  const { error, seed, drawn } = violation;
  const what = error instanceof Error ? error.message : String(error);
  const { run, throws } = shown(loop, environment, violation);
  const opening = environment.openings[drawn.opening];
  const until = error instanceof InvariantBroken ? error.version : Infinity;
  const events = run
    ? asDated(
        run.happenings.map(({ event }) => event).filter(({ version }) => version <= until),
        run.started.at,
      )
    : [];
  const sentence = opening ? recordedExample(loop, { name: drawn.opening, event: opening }, events) : null;
  const where = `seed ${seed}; the smallest run that shows it${throws ? ', up to where folding throws' : ''}:`;
  return new ProofError(proof, `${what}\n${where}`, sentence, error);
}

/** The run of a violation. Where folding it threw: the longest prefix that can be folded. */
function shown(
  loop: LoopDefinition,
  environment: ProofEnvironment,
  { run, drawn }: Violation,
): { readonly run: RandomWalk | null; readonly throws: boolean } {
  const opening = environment.openings[drawn.opening];
  if (run || !opening) return { run, throws: false };
  let longest: RandomWalk | null = null;
  try {
    for (let length = 0; length <= drawn.choices.length; length += 1) {
      longest = randomWalk(loop, environment, opening, drawn.choices.slice(0, length));
    }
  } catch {
    return { run: longest, throws: true };
  }
  return { run: longest, throws: true };
}
