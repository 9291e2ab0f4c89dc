import { estimate } from '../interval.ts';
import { ratios } from '../blocks.ts';
import type { Figure } from '../measure.ts';
import type { LaneReports } from './rounds.ts';

const ways = { sequence: 'in sequence', together: '50 at once' } as const;

/** Steps a second of each lane, and how many times as fast we are, round by round. Ourselves stand first. */
export function peerFigures([ours, ...others]: readonly LaneReports[]): Figure[] {
  if (!ours) return [];
  const keys = ['sequence', 'together'] as const;
  return keys.flatMap((way) => {
    const speeds = [ours, ...others].map((one) => ({
      name: `${one.lane.name}, ${ways[way]}`,
      ...estimate(perSecond(one[way])),
      unit: 'steps/s',
      bound: null,
    }));
    const compared = others.map((one) => ({
      name: `loopfold, of ${one.lane.name}, ${ways[way]}`,
      ...estimate(ratios(perSecond(ours[way]), perSecond(one[way]))),
      unit: '×',
      bound: one.lane.wanted ? { atLeast: one.lane.wanted[way] } : null,
    }));
    return [...speeds, ...compared];
  });
}

/** Steps a second, round by round. */
export const perSecond = (reports: LaneReports['sequence']): number[] =>
  reports.map(({ steps, seconds }) => steps / seconds);
