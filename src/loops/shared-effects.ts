import type { Effect } from './shared/effect.ts';
import { groundsRuling } from './shared/effects/ask-person.ts';
import { judge } from './shared/effects/ask-judge.ts';
import { capture } from './shared/effects/capture-workspace.ts';
import { strategyEnd } from './shared/effects/end-strategy.ts';
import { timer } from './shared/effects/start-timer.ts';
import { baseline } from './shared/effects/take-baseline.ts';
import { verification } from './shared/effects/verify-work.ts';
import { summary } from './shared/effects/write-summary.ts';

/**
 * The effects that loops share. A definition takes those that its chart starts.
 *
 * @example
 * effects: { ...sharedEffects, runAgent: attempt, askReviewer: { class: 'once', interrupted: reviewInterrupted } },
 */
export const sharedEffects = {
  judge,
  timer,
  captureWorkspace: capture,
  takeBaseline: baseline,
  verifyWork: verification,
  askAboutGrounds: groundsRuling,
  summarise: summary,
  endStrategy: strategyEnd,
} as const satisfies Readonly<Record<string, Effect>>;
