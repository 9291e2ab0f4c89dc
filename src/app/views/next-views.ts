import type { RunSummary } from '../../projections/run-summary.ts';
import type { Standing as RunStanding } from './run-status.ts';
import type { NextView } from './run-parts-view.ts';

/** What a person can do about a run now, the most useful first, in words for a page. */
export function nextViews({ ending, remedy }: Ended, standing: RunStanding): NextView[] {
  if (standing.kind !== 'ended') return whileOpen(standing, remedy);
  switch (ending?.outcome.ending) {
    case 'success':
      return ending.outcome.verified
        ? [{ action: 'prove', words: 'Look at the change, and run its proof again' }]
        : [{ action: 'show', words: 'Nothing was checked: look at the change before you take it' }];
    case 'cap_hit':
    case 'budget':
      return [
        { action: 'extend', words: 'Continue it with a higher limit, as a new run' },
        { action: 'redecide', words: 'See what other limits would have decided' },
      ];
    case 'doom_loop':
      return [
        { action: 'show', words: 'Read what was repeated, and change the task' },
        { action: 'extend', words: 'Continue it under other detectors or another strategy, as a new run' },
      ];
    default:
      return [{ action: 'resume', words: 'Mend what stopped it, then resume it' }];
  }
}

interface Ended extends Pick<RunSummary, 'ending'> {
  readonly remedy: string | null;
}

function whileOpen(standing: Exclude<RunStanding, { kind: 'ended' }>, remedy: string | null): NextView[] {
  const then = standing.kind === 'running' ? '' : ', then resume it: no process works on it now';
  if (standing.questions.length > 0)
    return [{ action: 'answer', words: `It waits for you: answer what it asks${then}` }];
  if (remedy !== null) return [{ action: 'resume', words: 'Mend what it names, then resume it' }];
  if (standing.kind === 'running') return [{ action: 'none', words: 'It works: you can steer, pause or abort it' }];
  return [{ action: 'resume', words: 'Resume it: it goes on where its log ends' }];
}
