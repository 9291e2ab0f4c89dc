import type { AnyEvent, Recorded } from '../../../machines/events.ts';
import type { RalphContext } from '../../../machines/ralph.machine.ts';
import { shownNumbers } from '../../../machines/ralph-numbers.ts';
import type { RunSettings } from '../../../machines/settings.ts';
import type { Activity } from '../../kernel/effect-handlers.ts';
import { attemptActivity } from '../attempt-activity.ts';
import { asFileSays } from './progress.ts';

/** What people are told has the numbers of the file, which they may have changed. */
export function ralphActivity(fact: Recorded<AnyEvent>, context: RalphContext, settings: RunSettings): Activity | null {
  const activity = attemptActivity(fact, asFileSays(context), settings);
  if (!activity || activity.iteration === 0) return activity;
  const { maximum } = shownNumbers(context);
  return { ...activity, iteration: Math.max(1, activity.iteration + context.file.ahead), maxIterations: maximum };
}
