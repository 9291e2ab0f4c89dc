import type { Family, Said } from '../telling.ts';
import { times } from '../telling.ts';
import { path } from '../things.ts';
import { family, treeOf } from './attempts-in-turn.ts';
import { edits, exits, runs, step, stuck } from './transcript.ts';

const IDEAS = [
  'Math.round(total)',
  'total ?? 0',
  'Number(total)',
  'await total',
  'total | 0',
  'structuredClone(total)',
];
const NOTES = ['NOTES.md', 'notes/plan.md', 'TODO.md', 'PROGRESS.md'];

/** Work that never stands still, while what comes of it does. */
export const stuckOutcomes: readonly Family[] = [
  stuck({
    story: 'edits another line each time, and the same test stays red',
    count: 2,
    goes: (random) =>
      times(random.from(18, 22), (index): Said[] => [
        step(random, edits(path(random), `return total; // ${index}`, `return ${random.one(IDEAS)}; // ${index + 1}`)),
        step(
          random,
          exits('npm test', `FAIL test/total.test.ts > adds the tax\nexpected 119 to be ${random.from(90, 140)}`, 1),
        ),
      ]).flat(),
  }),
  stuck({
    story: 'mends one error of the compiler and brings the other one back',
    count: 2,
    goes: (random) => {
      const file = path(random);
      const errors = [
        `error TS2322: Type 'string' is not assignable to type 'number'.`,
        `error TS2345: Argument of type 'number' is not assignable to parameter of type 'string'.`,
      ];
      return times(random.from(19, 24), (index): Said[] => {
        const line = random.from(8, 60);
        return [
          step(random, edits(file, `const id${index} = input;`, `const id${index + 1} = ${random.one(IDEAS)};`)),
          step(random, exits('npx tsc --noEmit', `src/build.ts(${line},3): ${errors[index % 2]}`, 2)),
        ];
      }).flat();
    },
  }),
  stuck({
    story: 'takes its edit back in other words each time, and edits anew',
    count: 2,
    goes: (random) => {
      const file = path(random);
      const backs = [
        `git checkout -- ${file}`,
        `git restore ${file}`,
        `git stash push ${file}`,
        `git reset -q ${file}`,
      ];
      return times(random.from(18, 22), (index): Said[] => [
        index % 2 === 0
          ? step(random, edits(file, 'lock.release();', `lock.release(${index}); // ${random.one(IDEAS)}`))
          : step(random, runs(`${random.one(backs)} # ${index}`)),
        step(
          random,
          exits('npm test', `FAIL ${index % 2 ? '' : 'waits for '}the lock\nTime: ${random.from(800, 1_500)} ms`, 1),
        ),
      ]).flat();
    },
  }),
  stuck({
    story: 'starts the server on another port each time, and it fails alike',
    count: 2,
    goes: (random) => {
      const first = random.from(3_000, 9_000);
      return times(random.from(18, 22), (index) =>
        step(
          random,
          edits('.env', `PORT=${first + index}`, `PORT=${first + index + 1}`),
          exits(
            `npm start -- --port ${first + index + 1}`,
            `> shop@1.4.${random.from(0, 9)} start\nError: listen EACCES: permission denied 0.0.0.0:${first + index + 1}`,
            1,
          ),
        ),
      );
    },
  }),
  family('loop', 'attempts that change only their notes', 2, (random) => {
    const attempt = (changed: readonly string[]) => ({
      says: 'I looked into it and noted what I found.',
      tree: treeOf(random),
      passes: [true, false],
      changed,
    });
    return [attempt(['src/total.ts']), ...times(random.from(4, 6), () => attempt([random.one(NOTES)]))];
  }),
];
