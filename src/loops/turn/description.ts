import type { LoopDescription } from '../../kernel/loop-description.ts';
import { turnAdditions } from './additions.ts';
import { turnLine } from './turn-line.ts';
import { TurnNarration } from './turn-narration.ts';
import { TurnQuestions } from './turn-questions.ts';

/** How people read a turn. */
export const turnDescription: LoopDescription = {
  round: 'step',
  rows: false,
  line: turnLine,
  adds: turnAdditions,
  questions: () => new TurnQuestions(),
  narration: () => new TurnNarration(),
};
