import { attemptBounds, defineLoop } from 'loopfold';
import { ReviewedEvent } from './reviewed.events.ts';
import { judge, Remarks } from './reviewed.judge.ts';
import { reviewed } from './reviewed.machine.ts';
import { ranking } from './reviewed.ranking.ts';
import { askReviewer, review, ReviewOptions } from './reviewed.reviewer.ts';
import { describe, observe } from './reviewed.text.ts';

/** The loop: its chart, its events, and everything specific to it. */
export const loop = defineLoop({
  machine: reviewed,
  events: ReviewedEvent,
  effects: { askReviewer: review },
  handlers: { askReviewer },
  settings: { ...attemptBounds, options: ReviewOptions },
  remember: () => new Remarks(),
  judge,
  observe,
  describe,
  ranking,
});
