import type { LoopDescription } from '../../kernel/loop-description.ts';
import { GroundsQuestions } from '../grounds-questions.ts';
import { JoinedQuestions } from '../joined-questions.ts';
import { turnAdditions } from './additions.ts';
import { turnLine } from './turn-line.ts';
import { TurnNarration } from './turn-narration.ts';
import { turnWork } from './turn-work.ts';
import { TurnQuestions } from './turn-questions.ts';

/** How people read a turn. */
export const turnDescription: LoopDescription = {
  round: 'step',
  rows: false,
  line: turnLine,
  adds: turnAdditions,
  work: turnWork,
  questions: () => new JoinedQuestions([new TurnQuestions(), new GroundsQuestions()]),
  narration: () => new TurnNarration(),
};
