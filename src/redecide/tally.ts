import type { Conclusion } from './conclusion.ts';
import { addSaving, NOTHING_SAVED, type Saving } from './saving.ts';
import type { RedecidedTree } from './redecide-tree.ts';

/** What one judge would have decided in several runs. */
export interface Tally {
  readonly runs: number;
  /** The number of runs by their conclusion. */
  readonly conclusions: { readonly [conclusion in Conclusion]: number };
  /** The number of runs with an unknown course from some point. */
  readonly open: number;
  readonly judgements: number;
  readonly agreeing: number;
  /** What the runs that would have ended earlier save. Where a run would have continued, its cost is unknown. */
  readonly saved: Saving;
}

type Judged = Pick<RedecidedTree, 'conclusion' | 'isOpen' | 'judgements' | 'agreeing' | 'saved'>;

export function tallied(trees: readonly Judged[]): Tally {
  const count = (conclusion: Conclusion) => trees.filter((tree) => tree.conclusion === conclusion).length;
  return {
    runs: trees.length,
    conclusions: {
      agrees: count('agrees'),
      stops_earlier: count('stops_earlier'),
      goes_on: count('goes_on'),
      ends_otherwise: count('ends_otherwise'),
    },
    open: trees.filter(({ isOpen }) => isOpen).length,
    judgements: trees.reduce((sum, { judgements }) => sum + judgements, 0),
    agreeing: trees.reduce((sum, { agreeing }) => sum + agreeing, 0),
    saved: trees.reduce((sum, { saved }) => (saved ? addSaving(sum, saved) : sum), NOTHING_SAVED),
  };
}
