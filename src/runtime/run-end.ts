import type { EventOf } from '../../machines/events.ts';
import type { Outcome, Spend } from '../../machines/outcome.ts';

/** How a run left this process. */
export type RunEnd =
  | { readonly kind: 'ended'; readonly outcome: Outcome; readonly answer: string; readonly spend: Spend }
  | { readonly kind: 'paused' }
  | { readonly kind: 'lost'; readonly detail: string };

export type PausedBy = EventOf<'run.paused'>['payload']['by'];
