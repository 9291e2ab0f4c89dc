import type { Random } from '../random.ts';
import type { Family, Told } from '../telling.ts';
import { times } from '../telling.ts';

const D6A = 'workspace-hash';
type Attempt = (Told & { readonly kind: 'loop' })['attempts'][number];

const treeOf = (random: Random): string => times(40, () => random.from(0, 15).toString(16)).join('');
const loop = (prompt: string, attempts: readonly Attempt[]): Told => ({ kind: 'loop', prompt, attempts });
const WORDS = [
  'I have mended it.',
  'It should pass now.',
  'I changed the parser.',
  'The cause was an off-by-one.',
  'Now all cases are handled.',
  'I looked again and it is right.',
];
const says = (random: Random): string => `${random.one(WORDS)} (${random.from(1, 999)})`;

/** Attempts, and the files that they leave. */
export const workspaceHash: readonly Family[] = [
  {
    detector: D6A,
    label: 'loop',
    story: 'attempts that change nothing',
    count: 8,
    tell: (random) => {
      const tree = treeOf(random);
      return loop(
        'Make the tests pass.',
        times(random.from(3, 5), () => ({ says: says(random), tree, passes: [true, false] })),
      );
    },
  },
  {
    detector: D6A,
    label: 'loop',
    story: 'works at first, and then hands in the same again',
    count: 8,
    tell: (random) => {
      const first = times(random.from(1, 2), () => ({
        says: says(random),
        tree: treeOf(random),
        passes: [false, false],
      }));
      const tree = treeOf(random);
      return loop('Make the tests pass.', [
        ...first,
        ...times(random.from(3, 4), () => ({ says: says(random), tree, passes: [true, false] })),
      ]);
    },
  },
  {
    detector: D6A,
    label: 'loop',
    story: 'every attempt undoes what it did',
    count: 6,
    tell: (random) => {
      const tree = treeOf(random);
      return loop(
        'Speed it up.',
        times(random.from(3, 6), () => ({
          says: `${says(random)} I have put everything back.`,
          tree,
          passes: [false, false],
        })),
      );
    },
  },
  {
    detector: D6A,
    label: 'lookalike',
    story: 'other files each time, and the same checks fail',
    count: 7,
    tell: (random) =>
      loop(
        'Make the tests pass.',
        times(random.from(4, 7), () => ({ says: says(random), tree: treeOf(random), passes: [true, false] })),
      ),
  },
  {
    detector: D6A,
    label: 'lookalike',
    story: 'the same twice, then on',
    count: 6,
    tell: (random) => {
      const pair = () => {
        const tree = treeOf(random);
        return times(2, () => ({ says: says(random), tree, passes: [true, false] }));
      };
      return loop('Make the tests pass.', [
        ...times(random.from(2, 3), pair).flat(),
        { says: says(random), tree: treeOf(random), passes: [true, true] },
      ]);
    },
  },
  {
    detector: D6A,
    label: 'lookalike',
    story: 'goes back to an earlier state, and from there elsewhere',
    count: 5,
    tell: (random) => {
      const [base, ...others] = times(4, () => treeOf(random));
      const trees = others.flatMap((tree) => [base ?? '', tree]);
      return loop(
        'Find a design that works.',
        trees.map((tree) => ({ says: says(random), tree, passes: [true, false] })),
      );
    },
  },
  {
    detector: D6A,
    label: 'lookalike',
    story: 'the same files, and a check that comes and goes',
    count: 4,
    tell: (random) => {
      const tree = treeOf(random);
      return loop(
        'Mend the flaky test.',
        times(random.from(4, 5), (n) => ({ says: says(random), tree, passes: [n % 2 === 0, false] })),
      );
    },
  },
];
