import type { LoopDescription } from '../../runtime/loop-description.ts';
import { turnAdditions } from './additions.ts';
import { turnLine } from './line.ts';
import { TurnNarration } from './narration.ts';
import { TurnQuestions } from './questions.ts';

/** A turn, for people. */
export const turnDescription: LoopDescription = {
  round: 'step',
  rows: false,
  line: turnLine,
  adds: turnAdditions,
  questions: () => new TurnQuestions(),
  narration: () => new TurnNarration(),
};
