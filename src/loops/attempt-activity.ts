import type { AnyEvent, EventOf, Recorded } from '../../machines/events.ts';
import { AGENT_QUIET } from '../../machines/agent-report.ts';
import type { Outcome } from '../../machines/outcome.ts';
import type { ActivityStatus, RunSettings } from '../../machines/settings.ts';
import type { Activity } from '../kernel/effect-handlers.ts';
import type { Attempted } from './attempt-loop.ts';

/**
 * The activities of a loop whose context counts `iterations`: each of its decisions is one. The decision for the first
 * attempt starts the loop, later ones continue it, and the last one says how it ended. So is the silence of an agent.
 *
 * @example
 * defineLoop({ machine: reviewed, events: ReviewedEvent, activity: attemptActivity });
 */
export function attemptActivity(
  event: Recorded<AnyEvent>,
  { iterations, limits, baseline }: Attempted,
  settings: RunSettings,
): Activity | null {
  if (isQuiet(event)) {
    const reason = event.payload.message;
    return {
      status: 'quiet',
      iteration: iterations,
      maxIterations: limits.maxIterations,
      reason,
      label: labelOf(settings),
    };
  }
  if (!isDecision(event)) return null;
  const { sink, reason } = event.payload;
  // This decision let the checks run on what the run begins with: no attempt begins yet.
  if (!sink && baseline === 'running') return null;
  const place = sink ? iterations : iterations + 1;
  return {
    status: sink ? endingStatus(sink) : beginningStatus(place),
    iteration: place,
    maxIterations: limits.maxIterations,
    reason,
    label: labelOf(settings),
  };
}

/** An agent of others is silent: a person may look before that ends its attempt. */
const isQuiet = (event: Recorded<AnyEvent>): event is Recorded<EventOf<'warning.raised'>> =>
  event.type === 'warning.raised' && Object(event.payload).code === AGENT_QUIET;

const isDecision = (event: Recorded<AnyEvent>): event is Recorded<EventOf<'decision.made'>> =>
  event.type === 'decision.made';

const beginningStatus = (iteration: number): ActivityStatus => (iteration === 1 ? 'started' : 'continuing');

function endingStatus(outcome: Outcome): ActivityStatus {
  if (outcome.ending === 'success') return 'completed';
  return outcome.ending === 'cap_hit' && outcome.limit.name === 'iterations' ? 'max_iterations' : 'stopped';
}

/** A loop that is started by a label has it among its own options. */
function labelOf({ options }: RunSettings): string | null {
  const label = typeof options === 'object' && options !== null && 'label' in options ? options['label'] : null;
  return typeof label === 'string' ? label : null;
}
