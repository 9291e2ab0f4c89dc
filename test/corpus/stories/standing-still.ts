import { asks, edit, grep, path, paths, read, shell, symbol, testsFail } from '../things.ts';
import { calling, type Called, done, type Family, times, turn } from '../telling.ts';

const D8 = 'no-progress';
const POLLING = { check_deployment: { polling: true }, wait_for_job: { polling: true } } as const;

/** Calls that bring nothing new. */
export const noProgress: readonly Family[] = [
  {
    detector: D8,
    label: 'loop',
    story: 'comes back to one file between all the others',
    count: 5,
    tell: (random) => {
      const [file = '', ...others] = paths(random, 26);
      return turn('Understand the code.', [
        ...others.slice(0, random.from(21, 25)).map((other) => calling(read(file), read(other))),
        done('I do not understand it.'),
      ]);
    },
  },
  {
    detector: D8,
    label: 'loop',
    story: 'two commands in turn, and nothing changes but the times',
    count: 5,
    tell: (random) => {
      const test = (n: number) => shell('npm test', testsFail(3, 40, 900 + n * 17));
      const says = times(random.from(10, 13), (n) => [
        calling(test(n)),
        calling(shell('git status --short', '')),
      ]).flat();
      return turn('Make the tests pass.', [...says, done('They fail.')]);
    },
  },
  {
    detector: D8,
    label: 'loop',
    story: 'polls a job that is stuck',
    count: 5,
    traits: POLLING,
    tell: (random) => {
      const id = random.from(100, 999);
      return turn('Wait for the job.', [
        ...times(random.from(30, 34), () => calling(asks('wait_for_job', { id }, 'queued'))),
        done('It is stuck.'),
      ]);
    },
  },
  {
    detector: D8,
    label: 'loop',
    story: 'looks at the same handful of files in changing order',
    count: 4,
    tell: (random) => {
      const files = paths(random, 4);
      const rounds = times(10, () => random.some(files, files.length)).flat();
      return turn('Find the mistake.', [...rounds.map((file) => calling(read(file))), done('I do not find it.')]);
    },
  },
  {
    detector: D8,
    label: 'loop',
    story: 'writes something new each time, and the test says the same',
    count: 4,
    tell: (random) => {
      const file = path(random);
      const says = times(random.from(20, 23), (n) =>
        calling(edit(file, `try ${n}`, `try ${n + 1}`), shell('npm test', testsFail(1, 40, 800 + n * 31))),
      );
      return turn('Make the tests pass.', [...says, done('One still fails.')]);
    },
  },
  {
    detector: D8,
    label: 'lookalike',
    story: 'polls a deployment that comes along',
    count: 5,
    traits: POLLING,
    tell: (random) => {
      const rounds = random.from(20, 32);
      const says = times(rounds, (n) =>
        calling(asks('check_deployment', { name: 'api' }, `${Math.round((n / rounds) * 100)} % ready`)),
      );
      return turn('Say when it is deployed.', [...says, done('It is deployed.')]);
    },
  },
  {
    detector: D8,
    label: 'lookalike',
    story: 'waits for a slow job that ends at last',
    count: 4,
    traits: POLLING,
    tell: (random) => {
      const id = random.from(100, 999);
      const says = times(random.from(10, 17), () => calling(asks('wait_for_job', { id }, 'running')));
      return turn('Wait for the job.', [...says, calling(asks('wait_for_job', { id }, 'done')), done('It is done.')]);
    },
  },
  {
    detector: D8,
    label: 'lookalike',
    story: 'one test less fails after each change',
    count: 4,
    tell: (random) => {
      const file = path(random);
      const rounds = random.from(20, 24);
      const says = times(rounds, (n) =>
        calling(
          edit(file, `todo ${n}`, `done ${n}`),
          shell('npm test', testsFail(rounds - n, 40, random.from(800, 2_000))),
        ),
      );
      return turn('Make the tests pass.', [...says, done('They pass.')]);
    },
  },
  {
    detector: D8,
    label: 'lookalike',
    story: 'reads a long list of files',
    count: 4,
    tell: (random) =>
      turn('Review everything.', [
        ...paths(random, random.from(32, 44)).map((file) => calling(read(file))),
        done('Reviewed.'),
      ]),
  },
  {
    detector: D8,
    label: 'lookalike',
    story: 'looks at the tree before each of a few commits',
    count: 4,
    tell: (random) => {
      const says = paths(random, random.from(6, 9)).flatMap((file, n) => [
        calling(shell('git status --short', '')),
        calling(edit(file, 'colour', 'color')),
        calling(shell(`git commit -am "Part ${n}"`, `[main ${n}a] Part ${n}`)),
      ]);
      return turn('Spell it as they do.', [...says, done('Committed.')]);
    },
  },
];

const D10 = 'compaction-thrash';
const isFull = { isFull: true } as const;
const huge = (random: { from(least: number, most: number): number }): Called =>
  asks('read_log', { lines: random.from(50_000, 90_000) }, 'a line\n'.repeat(40));

/** A conversation that is full, and full again. */
export const compactionThrash: readonly Family[] = [
  {
    detector: D10,
    label: 'loop',
    story: 'what is asked for fills every conversation',
    count: 7,
    tell: (random) => {
      const says = times(random.from(4, 7), () => [isFull, calling(huge(random))]).flat();
      return turn('What is in the log?', [calling(huge(random)), ...says, done('Too much.')]);
    },
  },
  {
    detector: D10,
    label: 'loop',
    story: 'full again before a word is said',
    count: 6,
    tell: (random) =>
      turn('Summarise the archive.', [
        calling(huge(random)),
        // Full four times without an answer would end the turn.
        ...times(random.from(3, 5), () => [isFull, isFull, calling(huge(random))]).flat(),
        done('It is too long.'),
      ]),
  },
  {
    detector: D10,
    label: 'loop',
    story: 'works for long, and then goes under',
    count: 7,
    tell: (random) => {
      const work = paths(random, random.from(4, 10)).map((file) => calling(read(file)));
      const says = times(random.from(4, 5), () => [isFull, calling(huge(random))]).flat();
      return turn('Find out why it is slow.', [...work, ...says, done('I do not know.')]);
    },
  },
  {
    detector: D10,
    label: 'lookalike',
    story: 'a long work with a summary now and then',
    count: 8,
    tell: (random) => {
      const says = times(random.from(3, 5), () => [
        isFull,
        ...paths(random, random.from(3, 8)).map((file) => calling(read(file))),
      ]).flat();
      return turn('Migrate the code.', [
        ...paths(random, 3).map((file) => calling(read(file))),
        ...says,
        done('Migrated.'),
      ]);
    },
  },
  {
    detector: D10,
    label: 'lookalike',
    story: 'twice full in a row, then on',
    count: 6,
    tell: (random) => {
      const work = () => paths(random, random.from(3, 6)).map((file) => calling(read(file)));
      return turn('Read the log.', [
        calling(huge(random)),
        isFull,
        calling(huge(random)),
        isFull,
        ...work(),
        isFull,
        ...work(),
        done('Read.'),
      ]);
    },
  },
  {
    detector: D10,
    label: 'lookalike',
    story: 'a summary every two or three answers of a hard task',
    count: 6,
    tell: (random) => {
      const name = symbol(random);
      const says = times(random.from(4, 6), (n) => [
        isFull,
        calling(grep(`${name}${n}`, `${n} matches`)),
        calling(read(paths(random, 1)[0] ?? '')),
      ]).flat();
      return turn(`Rename ${name}.`, [calling(grep(name, '2,000 matches')), ...says, done('Renamed.')]);
    },
  },
];
