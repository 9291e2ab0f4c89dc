import type { CatalogueEntry } from '../../../machines/index.ts';
import { transitionsOf } from '../../charts/transitions.ts';
import { endlessPlaces } from '../../termination/cycles.ts';
import { standstill } from '../../termination/standstill.ts';
import { rankOf } from '../../termination/rank.ts';
import type { Ranking } from '../../runtime/ranking.ts';
import { type Invariant, InvariantBroken } from '../invariants/invariant.ts';
import { type Proof, ProofError } from './proof.ts';

/** A rank that falls with every event, and cannot fall for ever, is why a run ends. */
export const bringsItsEndNearer = (ranking: Ranking): Invariant => ({
  name: 'every event that is no input from outside brings the end nearer',
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

/** The chart has no way round on which nothing falls. */
export function cycleProof({ machine }: CatalogueEntry, { falls }: Ranking): Proof {
  const name = 'something falls on every cycle of the chart';
  return {
    name,
    prove() {
      const known = new Set(transitionsOf(machine).map(({ id }) => id));
      const unknown = Object.keys(falls).filter((id) => !known.has(id));
      if (unknown.length > 0) throw new ProofError(name, `\`falls\` names ${unknown.join(', ')}, and the chart has no such transition. Take it out.`);
      const places = endlessPlaces(machine, falls);
      if (places.length === 0) return;
      const remedy = 'Say in `falls`, by the id of a transition, what falls there.';
      throw new ProofError(name, `on some way round through ${places.join(', ')}, or from there, nothing does. ${remedy}`);
    },
  };
}
