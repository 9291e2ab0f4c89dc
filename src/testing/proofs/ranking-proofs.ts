import type { CatalogueEntry } from '../../../machines/index.ts';
import { transitionsOf } from '../../charts/transitions.ts';
import { endlessPlaces } from '../../termination/chart-cycles.ts';
import { standstill } from '../../termination/standstill.ts';
import { rankOf } from '../../termination/bound.ts';
import type { Ranking } from '../../kernel/loop-ranking.ts';
import { type Invariant, InvariantBroken } from '../invariants/invariant.ts';
import { type Proof, ProofError } from './proof.ts';

/** A rank that falls with every event, and cannot fall for ever, proves that runs end. */
export const bringsItsEndNearer = (ranking: Ranking): Invariant => ({
  name: 'every event except external input lowers the rank',
  looks: 'always',
  check({ happenings }) {
    for (const passage of happenings) {
      const { version } = passage.event;
      const rank = rankOf(passage.after, ranking);
      if (!(rank >= 0)) throw new InvariantBroken(version, 'the rank', rank, 'a natural number');
      const because = standstill(passage, ranking);
      if (because) throw new InvariantBroken(version, 'the rank', because, 'less than before');
    }
  },
});

/** Every cycle of the chart has a transition on which the rank falls. */
export function cycleProof({ machine }: CatalogueEntry, { falls }: Ranking): Proof {
  const name = 'the rank falls on every cycle of the chart';
  return {
    name,
    prove() {
      const known = new Set(transitionsOf(machine).map(({ id }) => id));
      const unknown = Object.keys(falls).filter((id) => !known.has(id));
      if (unknown.length > 0)
        throw new ProofError(
          name,
          `\`falls\` names ${unknown.join(', ')}, and the chart has no such transition. Take it out.`,
        );
      const places = endlessPlaces(machine, falls);
      if (places.length === 0) return;
      const remedy = 'Say in `falls`, by the id of a transition, what falls there.';
      throw new ProofError(
        name,
        `it falls nowhere on a cycle through, or reached from, ${places.join(', ')}. ${remedy}`,
      );
    },
  };
}
