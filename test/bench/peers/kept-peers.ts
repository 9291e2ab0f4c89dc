import { ratios } from '../blocks.ts';
import { estimate } from '../interval.ts';
import { LANES } from './lanes.ts';
import { perSecond } from './peer-figures.ts';
import { type LaneReports, peerRounds } from './rounds.ts';

/** One measurement of all lanes, as it is kept for the page. */
export async function keptPeers({ rounds, installed }: { readonly rounds: number; readonly installed: string }) {
  const [ours, ...others] = await peerRounds(LANES, { rounds, installed });
  if (!ours) throw new Error('nothing was measured');
  return { rounds, lanes: [ours, ...others].map((lane) => keptLane(lane, ours)) };
}

function keptLane(lane: LaneReports, ours: LaneReports) {
  const {
    lane: { name, keeps },
    commitsPerStep,
    sequence,
    together,
  } = lane;
  const times = (way: 'sequence' | 'together') => estimate(ratios(perSecond(ours[way]), perSecond(lane[way])));
  return {
    name,
    keeps,
    synchronous: sequence[0]?.synchronous,
    commitsPerStep,
    sequence: estimate(perSecond(sequence)),
    together: estimate(perSecond(together)),
    times: { sequence: times('sequence'), together: times('together') },
  };
}
