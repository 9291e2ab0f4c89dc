import { createHash } from 'node:crypto';
import { shippedLoops } from '../../src/loops/index.ts';
import type { LoopDefinition } from '../../src/kernel/loop-definition.ts';
import { type KillerName, killers } from './killers.ts';
import { type Mutant, mutantsOf } from './mutants.ts';

/** Every mutant of every loop that ships, by its id. */
export const mutants: ReadonlyMap<string, Mutant<LoopDefinition>> = new Map(
  shippedLoops.flatMap((loop) => mutantsOf(loop)).map((mutant) => [mutant.id, mutant]),
);

export const killerNames = Object.keys(killers) as readonly KillerName[];

/** So many mutants, drawn by a seed: the same seed draws the same ones. */
export function drawn(seed: number, count: number, from: readonly Mutant<LoopDefinition>[]): Mutant<LoopDefinition>[] {
  const lot = ({ id }: Mutant): string => createHash('sha256').update(`${seed} ${id}`).digest('hex');
  return from.toSorted((one, other) => (lot(one) < lot(other) ? -1 : 1)).slice(0, count);
}

export interface Asked {
  readonly id: string;
  /** Who looks, in this order, until one of them has caught it. */
  readonly by: readonly KillerName[];
}

export interface Finding {
  readonly killer: KillerName;
  readonly why: string;
}

/** Who has caught a mutant first, and by what. Null where it lives. */
export function findings({ id, by }: Asked): Finding | null {
  const mutant = mutants.get(id);
  if (!mutant) throw new Error(`there is no mutant ${id}`);
  for (const killer of by) {
    const why = lookedAt(mutant, killer);
    if (why !== null) return { killer, why };
  }
  return null;
}

function lookedAt({ made }: Mutant<LoopDefinition>, killer: KillerName): string | null {
  try {
    return killers[killer](made());
  } catch (error) {
    return String(error);
  }
}
