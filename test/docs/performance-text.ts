import { commitAfter, COMMITS_A_STEP, mostWorkAt } from '../bench/commit-ratio.ts';
import type { MeasuredPage } from '../bench/measured.ts';
import { first } from '../bench/step-history.ts';
import { ownWork } from './plots/own-work.ts';
import { written } from './plots/scale.ts';

interface Estimated {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}
type Section = (page: MeasuredPage) => string;

const WANTED = { ofRaw: 0.5, ofSequence: 5, togetherOfRaw: 2.5, ofFirst: 0.45 };

/** What the page about performance says in numbers: all of it is taken from what was measured. */
export const performanceSections: Readonly<Record<string, Section>> = {
  'performance-parts': ({ parts: { parts, ...when } }) => {
    const total = parts.reduce((sum, { microseconds }) => sum + microseconds, 0);
    const [first, ...rest] = parts
      .slice(0, 4)
      .map(
        ({ part, microseconds }) => `${part} ${written(microseconds)} (${Math.round((100 * microseconds) / total)} %)`,
      );
    return `Of ${written(total)} µs a step, the largest parts are: ${[first, ...rest].join(', ')}. ${measuredAt(when)}`;
  },

  'performance-steps': ({ steps }) =>
    [
      measuredAt(steps),
      '',
      ...table(
        ['', 'measured', 'wanted'],
        [
          ['durable steps a second, in sequence', interval(steps.sequence), ''],
          ['durable steps a second, 50 at once', interval(steps.together), ''],
          [`the raw loop, ${COMMITS_A_STEP} commits a step`, interval(steps.rawAsBefore), ''],
          ['the floor, in sequence', interval(steps.floor), ''],
          [`the floor, of a raw loop with ${COMMITS_A_STEP}`, interval(steps.floorOfRawAsBefore), ''],
          ['in sequence, of a raw loop with as many commits', interval(steps.ofRaw), `at least ${WANTED.ofRaw}`],
          [`in sequence, of a raw loop with ${COMMITS_A_STEP}`, interval(steps.ofRawAsBefore), ''],
          ['50 at once, of our sequence', interval(steps.togetherOfSequence), `at least ${WANTED.ofSequence}`],
          [
            `50 at once, of a raw loop with ${COMMITS_A_STEP}`,
            interval(steps.togetherOfRawAsBefore),
            `at least ${WANTED.togetherOfRaw}`,
          ],
          ['CPU a step in sequence, µs', interval(steps.cpuMicroseconds), ''],
          ['the same with the log in memory', interval(steps.inMemoryCpuMicroseconds), ''],
          ['the same where no commit waits for the disk', interval(steps.unsyncedCpuMicroseconds), ''],
          ['CPU a step 50 at once, µs', interval(steps.togetherCpuMicroseconds), ''],
          ['commits a step, in sequence and at once', `${steps.commits.sequence} and ${steps.commits.together}`, ''],
        ],
      ),
    ].join('\n'),

  'performance-commits': ({ commits: { commits, ...when } }) => {
    const cost = (work: number, wal: 'reused' | 'growing') => written(commitAfter(commits, work, wal));
    return [
      `Right behind another, a commit costs ${cost(0, 'reused')} µs; after 0.5 ms of work ${cost(500, 'reused')} µs, after`,
      `1 ms ${cost(1000, 'reused')} µs, after 2 ms ${cost(2000, 'reused')} µs. Into a log that grows it costs`,
      `${cost(500, 'growing')} µs after 0.5 ms and ${cost(1000, 'growing')} µs after 1 ms. ${measuredAt(when)}`,
    ].join('\n');
  },

  'performance-ratio': (page) => {
    const { steps, commits } = page;
    return [
      `With these costs, a step keeps half the speed of the raw loop if it does at most`,
      `${written(mostWorkAt(commits.commits, WANTED.ofRaw))} µs of CPU work besides its commits. Ours does ${written(ownWork(page))} µs, and has`,
      `${written(steps.ofRawAsBefore.value)} of that speed.`,
    ].join('\n');
  },

  'performance-peers': ({ peers: { lanes, rounds, ...when } }) =>
    [
      `${measuredAt(when)} ${rounds} rounds.`,
      '',
      ...table(
        [
          'program',
          'commits a step',
          'synchronous',
          'steps/s in sequence',
          'loopfold is so many times as fast',
          'steps/s, 50 at once',
          'loopfold is so many times as fast',
        ],
        lanes.map(({ name, commitsPerStep, synchronous, sequence, together, times }) => [
          name,
          String(commitsPerStep),
          synchronous === 2 ? 'FULL' : 'NORMAL',
          interval(sequence),
          name === 'loopfold' ? '' : interval(times.sequence),
          interval(together),
          name === 'loopfold' ? '' : interval(times.together),
        ]),
      ),
    ].join('\n'),

  'performance-cpu': cpuSentences,

  'performance-limits': (page) => {
    const { steps, commits } = page;
    const [alone, together] = [ownWork(page), steps.togetherCpuMicroseconds.value];
    const share = together / steps.cpuMicroseconds.value;
    const first = commitAfter(commits.commits, 0);
    const after = commitAfter(commits.commits, alone / COMMITS_A_STEP);
    const rows = [
      {
        asked: `in sequence ${WANTED.ofRaw} of the raw loop`,
        has: steps.ofRaw,
        commit: alone / COMMITS_A_STEP,
        work: mostWorkAt(commits.commits, WANTED.ofRaw),
      },
      {
        asked: `50 at once ${WANTED.ofSequence} times our sequence`,
        has: steps.togetherOfSequence,
        commit: (WANTED.ofSequence * together - alone) / COMMITS_A_STEP,
        work: (COMMITS_A_STEP * after) / (WANTED.ofSequence * share - 1),
      },
      {
        asked: `50 at once ${WANTED.togetherOfRaw} times the raw loop`,
        has: steps.togetherOfRawAsBefore,
        commit: (WANTED.togetherOfRaw * together) / COMMITS_A_STEP,
        work: (COMMITS_A_STEP * first) / WANTED.togetherOfRaw / share,
      },
    ];
    return [
      measuredAt(steps),
      '',
      ...table(
        [
          'asked for',
          'measured',
          'with our step, a commit would have to cost',
          'with this disk, a step would have to cost',
        ],
        rows.map(({ asked, has, commit, work }) => [
          asked,
          interval(has),
          `at least ${written(commit)} µs (it costs ${written(first)} to ${written(after)})`,
          `at most ${written(work)} µs of CPU (it costs ${written(alone)})`,
        ]),
      ),
    ].join('\n');
  },
};

/** What the commits of a step cost in CPU, beside what a step may cost in all. */
function cpuSentences({ steps }: MeasuredPage): string {
  const whole = steps.cpuMicroseconds.value;
  const [decided, unsynced] = [steps.inMemoryCpuMicroseconds.value, steps.unsyncedCpuMicroseconds.value];
  const spins = (microseconds: number) => written((microseconds / whole) * steps.spins.value);
  const wanted = WANTED.ofFirst * first.spinsPerStep;
  return [
    `Asked for is at most ${WANTED.ofFirst} of the CPU time of ${first.commit}: ${written(wanted)} spins a step. Ours takes`,
    `${written(steps.spins.value)}, or ${written(whole)} µs. With the log in memory it is ${written(decided)} µs; written to a file without a wait for the`,
    `disk, ${written(unsynced)} µs. So ${written(unsynced - decided)} µs are spent in SQLite and on the way there, and ${written(whole - unsynced)} µs more because the`,
    `thread waits for the disk twice a step. Both together are ${spins(whole - decided)} spins. ${measuredAt(steps)}`,
  ].join('\n');
}

const measuredAt = ({
  commit,
  on,
  machine,
}: {
  readonly commit: string;
  readonly on: string;
  readonly machine: string;
}) => `Measured on ${on} at ${commit}: ${machine}.`;

const interval = ({ value, low, high }: Estimated): string => `${written(value)} [${written(low)}, ${written(high)}]`;

function table(heading: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const cells = (row: readonly string[]) => `| ${row.join(' | ')} |`;
  return [cells(heading), cells(heading.map(() => '---')), ...rows.map(cells)];
}
