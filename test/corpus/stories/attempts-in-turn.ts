import type { Label } from '../../../src/redecide/story.ts';
import type { Random } from '../random.ts';
import type { Family, Told } from '../telling.ts';
import { times } from '../telling.ts';
import { TRANSCRIPTS } from './transcript.ts';

type Attempt = (Told & { readonly kind: 'loop' })['attempts'][number];

export const treeOf = (random: Random): string => times(40, () => random.from(0, 15).toString(16)).join('');
const DESIGNS = [
  'I went back to the first design.',
  'A cache solves it.',
  'Without the cache it is simpler.',
  'The lock was the cause.',
  'I rewrote the retry.',
];
const HOPES = ['It should hold now.', 'The check has to pass.', ''];
const says = (random: Random): string => `${random.one(DESIGNS)} ${random.one(HOPES)}`;
const attempt = (random: Random, tree: string, ...passes: boolean[]): Attempt => ({ says: says(random), tree, passes });

/** Stories of a loop of attempts that are about no single detector. */
export const family = (
  label: Label,
  story: string,
  count: number,
  attempts: (random: Random) => readonly Attempt[],
): Family => ({
  detector: TRANSCRIPTS,
  label,
  story,
  count,
  tell: (random) => ({ kind: 'loop', prompt: 'Make the tests pass.', attempts: attempts(random) }),
});

/** Loops of attempts that undo each other, and such as come back to something for a reason. */
export const attemptsInTurn: readonly Family[] = [
  family('loop', 'two designs in turn, and each fails its check', 3, (random) => {
    const trees = [treeOf(random), treeOf(random)];
    const before = times(random.from(0, 2), () => attempt(random, treeOf(random), true, false));
    return [...before, ...times(random.from(5, 8), (index) => attempt(random, trees[index % 2] ?? '', true, false))];
  }),
  family('loop', 'two designs in turn, of which one builds', 2, (random) => {
    const trees = [treeOf(random), treeOf(random)];
    return times(random.from(5, 7), (index) => attempt(random, trees[index % 2] ?? '', index % 2 === 0, false));
  }),
  family('loop', 'three designs in turn', 3, (random) => {
    const trees = times(3, () => treeOf(random));
    return times(random.from(7, 9), (index) => attempt(random, trees[index % 3] ?? '', true, false));
  }),
  family('lookalike', 'tries two designs, comes back to the first, and builds on it', 3, (random) => {
    const [first, second] = [treeOf(random), treeOf(random)];
    const on = times(random.from(2, 4), () => attempt(random, treeOf(random), true, false));
    return [
      attempt(random, first, true, false),
      attempt(random, second, true, false),
      attempt(random, first, true, false),
      ...on,
      attempt(random, treeOf(random), true, true),
    ];
  }),
  family('lookalike', 'changes something each time, and the last attempt passes', 3, (random) => [
    ...times(random.from(3, 7), () => attempt(random, treeOf(random), random.next() < 0.7, false)),
    attempt(random, treeOf(random), true, true),
  ]),
];
