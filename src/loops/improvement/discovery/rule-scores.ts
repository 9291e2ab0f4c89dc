import { UNSCORED } from '../../../config/improve-config.ts';

/** How relevant a finding is by its kind alone, from 0 to 1: a model's score replaces it. */
export const RULE_SCORES = {
  failingTest: 1,
  typeError: 0.9,
  lintError: 0.7,
  benchmark: 0.7,
  skippedTest: 0.65,
  /** It names a test, a specification or an issue, or says what has to hold. */
  todoWithSpec: 0.65,
  /** In a log, or in recorded runs, more than once. */
  repeatedError: 0.65,
  /** An item, or an idea, without a score. */
  unscored: UNSCORED,
  todo: 0.4,
  lintWarning: 0.4,
  singleError: 0.4,
  uncovered: 0.3,
} as const;
