import { amount } from '../../projections/phrases.ts';
import type { Score } from '../../redecide/lab-stories.ts';
import type { Interval } from '../../redecide/wilson.ts';

// The tables of measured detectors, cell by cell: the command line and the guide show the same.

const DETECTORS = [
  'detector',
  'loops',
  'kinds',
  'noticed',
  'ended',
  'lookalikes',
  'kinds',
  'of them ended',
  'nudged',
  'precision',
  '95 %',
  'recall',
  '95 %',
];

const TOGETHER = [
  'all together',
  'stuck',
  'kinds',
  'ended',
  'share',
  '95 %',
  'healthy',
  'kinds',
  'ended',
  'share',
  '95 %',
];

/** Each detector by itself. */
export const detectorRows = (scores: readonly Score[]): string[][] => [
  DETECTORS,
  ...scores.filter(({ detector }) => detector !== 'all').map(detectorRow),
];

/** All detectors together, on stories that are about no single one; only the heading where there are none. */
export const togetherRows = (scores: readonly Score[]): string[][] => [
  TOGETHER,
  ...scores.filter(({ detector }) => detector === 'all').map(togetherRow),
];

/** What a detector has ended or missed and should not have, by the names of the stories. */
export const mistakes = ({ detector, isApart, mistaken, missed }: Score): string[] => {
  const who = isApart ? `${detector} (kept apart)` : detector;
  return [
    ...(mistaken.length > 0 ? [`${who} ended ${amount(mistaken.length, 'lookalike')}: ${mistaken.join('; ')}`] : []),
    ...(missed.length > 0 ? [`${who} missed ${amount(missed.length, 'loop')}: ${missed.join('; ')}`] : []),
  ];
};

const detectorRow = (score: Score): string[] => [
  score.detector,
  `${score.loops}`,
  `${score.loopKinds}`,
  `${score.noticed}`,
  `${score.ended}`,
  `${score.lookalikes}`,
  `${score.lookalikeKinds}`,
  `${score.mistaken.length}`,
  `${score.nudged}`,
  share(score.precision),
  interval(score.intervals.precision),
  share(score.recall),
  interval(score.intervals.recall),
];

const togetherRow = ({ isApart, loops, loopKinds, ended, lookalikes, lookalikeKinds, mistaken, intervals }: Score) => [
  isApart ? 'stories kept apart' : 'stories to tune by',
  `${loops}`,
  `${loopKinds}`,
  `${ended}`,
  share(loops === 0 ? null : ended / loops),
  interval(intervals.ended),
  `${lookalikes}`,
  `${lookalikeKinds}`,
  `${mistaken.length}`,
  share(lookalikes === 0 ? null : mistaken.length / lookalikes),
  interval(intervals.mistaken),
];

const share = (of: number | null): string => of?.toFixed(2) ?? '-';
const interval = (of: Interval | null): string => (of ? `${of.low.toFixed(2)}–${of.high.toFixed(2)}` : '-');
