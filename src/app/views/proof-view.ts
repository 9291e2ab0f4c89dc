import { z } from 'zod';
import type { Proof } from '../proof/run-proof.ts';
import { DOUBTS, LEG_TEXT } from './proof-words.ts';
import { checkViews } from './round-views.ts';
import { CheckView } from './run-parts-view.ts';
import { MAX_LINE_CHARS, shownText } from './line-for-view.ts';

/** What the checks of a run came to when they ran once more, on what was recorded of it. */
export const ProofView = z.object({
  run: z.string(),
  proven: z.boolean(),
  /** Why it is not, the gravest reason first. */
  doubts: z.array(z.string()),
  /** `on`: the tree that they ran on. */
  legs: z.array(z.object({ on: z.string(), passed: z.boolean(), checks: z.array(CheckView) })),
  walls: z.string(),
});
export type ProofView = z.infer<typeof ProofView>;

/** A proof as a page shows it. Which held-out checks fail is not on it. */
export const proofView = ({ run, proven, doubts, legs, walls }: Proof): ProofView => ({
  run,
  proven,
  doubts: doubts.map((doubt) => DOUBTS[doubt]),
  legs: legs.map(({ leg, levels }) => ({
    on: LEG_TEXT[leg],
    passed: levels.every(({ passed }) => passed),
    checks: checkViews(levels, []),
  })),
  walls: walls.kind === 'full' ? 'full' : shownText(`none: ${walls.because}`, MAX_LINE_CHARS),
});
