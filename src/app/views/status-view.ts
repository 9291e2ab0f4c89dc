import { type Standing as RunStanding, standingName } from './run-status.ts';
import type { Standing } from './run-parts-view.ts';

/** Where a run stands, in a few words. */
export const standingView = (standing: RunStanding): Standing => ({
  kind: standing.kind,
  words: standingName(standing),
  asks: 'questions' in standing ? standing.questions.length : 0,
});
