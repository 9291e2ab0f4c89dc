import { commitAfter, COMMITS_A_STEP, ratioAfter } from '../../bench/commit-ratio.ts';
import type { CommitCost } from '../../bench/measured-commit.ts';
import type { MeasuredPage } from '../../bench/measured.ts';
import type { Measured } from '../../bench/step-history.ts';
import { type Bar, bars } from './bars.ts';
import { curves } from './curves.ts';
import { floorWork, ownWork } from './own-work.ts';
import { linear, logarithmic } from './scale.ts';
import { sheet } from './sheet.ts';

/** Parts smaller than this are drawn as one, in microseconds. */
const SMALLEST_MICROSECONDS = 5;
/** Wanted of the CPU time of a step, of that of the first commit. */
const WANTED_OF_FIRST = 0.45;

/** Where the time of a step goes. */
function partsPicture({ parts: { parts } }: MeasuredPage): string {
  const total = parts.reduce((sum, { microseconds }) => sum + microseconds, 0);
  const isLarge = ({ microseconds }: { readonly microseconds: number }) => microseconds >= SMALLEST_MICROSECONDS;
  const rest = parts.filter((part) => !isLarge(part)).reduce((sum, { microseconds }) => sum + microseconds, 0);
  const shown = [...parts.filter(isLarge), ...(rest > 0 ? [{ part: 'all others', microseconds: rest }] : [])];
  const rows = shown.map(({ part, microseconds }): Bar => ({
    name: part,
    value: microseconds,
    ink: part === 'SQLite and the disk' || part.startsWith('waiting') ? 'other' : 'ours',
    note: `(${Math.round((100 * microseconds) / total)} %)`,
  }));
  return sheet({
    title: 'Where the time of a step goes',
    subtitle: 'In sequence, warm, sampled. Blue: our CPU work. Grey: the disk, and waiting.',
    ...bars([{ heading: '', bars: rows }], 'microseconds of the clock a step'),
  });
}

/** Steps a second, of ours, of others, and of loops that do nothing. */
function speedPicture({ steps, peers }: MeasuredPage): string {
  const cold = (way: 'sequence' | 'together') =>
    peers.lanes.map(({ name, [way]: speed }): Bar => ({
      name,
      ...speed,
      ink: name === 'loopfold' ? 'ours' : inkOf(name),
    }));
  return sheet({
    title: 'Durable steps a second',
    subtitle:
      'Medians with 95 % intervals. An answer and a tool result a step, synchronous=FULL where nothing else is said.',
    ...bars(
      [
        {
          heading: 'Warm, in one process',
          bars: [
            { name: 'loopfold, in sequence', ...steps.sequence, ink: 'ours' },
            { name: 'floor, in sequence', ...steps.floor, ink: 'other' },
            { name: 'loopfold, 50 at once', ...steps.together, ink: 'ours' },
            { name: `raw loop, ${COMMITS_A_STEP} commits`, ...steps.rawAsBefore, ink: 'other' },
          ],
        },
        { heading: 'Cold, in sequence', bars: cold('sequence') },
        { heading: 'Cold, 50 at once', bars: cold('together') },
      ],
      'steps a second',
    ),
  });
}

const inkOf = (name: string) => (name === 'floor' ? 'other' : 'second');

/** What a commit costs, against the work before it. */
function commitsPicture({ commits: { commits } }: MeasuredPage): string {
  const named = { reused: 'WAL written again from its start', growing: 'WAL that grows' } as const;
  const all = commits.flatMap(({ low, high }) => [low, high]);
  const curveOf = (wal: CommitCost['wal'], ink: 'ours' | 'second') => ({
    name: named[wal],
    ink,
    points: commits
      .filter((one) => one.wal === wal)
      .map(({ workMicroseconds, value, low, high }) => ({ x: workMicroseconds, y: value, low, high })),
  });
  return sheet({
    title: 'A commit costs more, the longer ago the last one was',
    subtitle: 'The raw loop, synchronous=FULL, warm. Medians with 95 % intervals; the cost is on a logarithmic scale.',
    ...curves([curveOf('reused', 'ours'), curveOf('growing', 'second')], {
      x: {
        name: 'CPU work since the last commit, in microseconds',
        scale: (range) => linear(Math.max(...commits.map(({ workMicroseconds }) => workMicroseconds)), range),
      },
      y: { name: 'microseconds a commit', scale: (range) => logarithmic(Math.min(...all), Math.max(...all), range) },
    }),
  });
}

const MOST_WORK_MICROSECONDS = 2000;
const WORK_STEP_MICROSECONDS = 50;

/** Which part of the speed of the raw loop can be had at all, against the CPU work of a step. */
function ratioPicture(page: MeasuredPage): string {
  const { commits } = page.commits;
  const works = Array.from(
    { length: MOST_WORK_MICROSECONDS / WORK_STEP_MICROSECONDS + 1 },
    (_, n) => n * WORK_STEP_MICROSECONDS,
  );
  const constant = (work: number) => {
    const first = COMMITS_A_STEP * commitAfter(commits, 0);
    return first / (work + first);
  };
  const { steps } = page;
  const at = ({ value: y, low, high }: { readonly value: number; readonly low: number; readonly high: number }) => ({
    y,
    low,
    high,
  });
  return sheet({
    title: 'What is left of the raw loop',
    subtitle: `${COMMITS_A_STEP} commits a step. The raw loop commits as often, and does nothing between.`,
    ...curves(
      [
        {
          name: 'if it were always that of the first',
          ink: 'other',
          points: works.map((x) => ({ x, y: constant(x) })),
          isBare: true,
        },
        {
          name: 'at the measured cost of a commit',
          ink: 'ours',
          points: works.map((x) => ({ x, y: ratioAfter(commits, x) })),
          isBare: true,
        },
        {
          name: 'floor',
          ink: 'text',
          points: [{ x: floorWork(page), ...at(steps.floorOfRawAsBefore) }],
          isScattered: true,
        },
        {
          name: 'loopfold',
          ink: 'second',
          points: [{ x: ownWork(page), ...at(steps.ofRawAsBefore) }],
          isScattered: true,
        },
      ],
      {
        x: {
          name: 'CPU work of a step besides its commits, in microseconds',
          scale: (range) => linear(MOST_WORK_MICROSECONDS, range),
        },
        y: { name: 'of the speed of the raw loop', scale: (range) => linear(1, range) },
        wanted: { value: 0.5, name: 'wanted: 0.5' },
      },
    ),
  });
}

/** CPU time of a step, commit by commit. */
function historyPicture(history: readonly [Measured, ...Measured[]]): string {
  const points = history.map(({ spinsPerStep }, index) => ({ x: index, y: spinsPerStep }));
  const [first] = history;
  const last = Math.max(1, history.length - 1);
  return sheet({
    title: 'CPU time of a step over the commits',
    subtitle: 'In spins: a fixed piece of work, so that machines can be compared. Every measurement that was kept.',
    ...curves([{ name: 'in sequence, warm', ink: 'ours', points }], {
      x: {
        name: 'commit',
        scale: ([from, to]) => ({
          at: (value) => from + 20 + ((to - from - 40) * value) / last,
          ticks: points.map(({ x }) => x),
        }),
        labels: history.map(({ commit }) => commit.slice(0, 7)),
      },
      y: { name: 'spins a step', scale: (range) => linear(Math.max(...points.map(({ y }) => y)), range) },
      wanted: {
        value: first.spinsPerStep * WANTED_OF_FIRST,
        name: `wanted: ${WANTED_OF_FIRST} of ${first.commit}`,
        isLeft: true,
      },
    }),
  });
}

/** The pictures of the page, by file. */
export const performancePictures = (page: MeasuredPage, history: readonly [Measured, ...Measured[]]) =>
  ({
    'docs/performance/parts.svg': partsPicture(page),
    'docs/performance/speed.svg': speedPicture(page),
    'docs/performance/commits.svg': commitsPicture(page),
    'docs/performance/ratio.svg': ratioPicture(page),
    'docs/performance/history.svg': historyPicture(history),
  }) as const;
