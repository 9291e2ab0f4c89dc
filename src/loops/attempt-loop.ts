import type {
  IterationEvent as AttemptEvent,
  LoopEvent,
  Recorded,
  Share,
  AnyEvent,
  EventOf,
} from '../../machines/events.ts';
import type { Life } from '../../machines/life.ts';
import { isLimited, leftFor } from '../budget/allowance.ts';
import type { RunContext, Activity } from '../kernel/effect-handlers.ts';
import { lifeOf } from '../kernel/fold.ts';
import type { LoopSettings, LoopDefinition } from '../kernel/loop-definition.ts';
import type { LoopDescription } from '../kernel/loop-description.ts';
import type { Rounds } from '../kernel/loop-ranking.ts';
import type { z } from 'zod';
import type { CatalogueEntry } from '../../machines/index.ts';
import { AGENT_QUIET } from '../../machines/agent-report.ts';
import type { Outcome } from '../../machines/outcome.ts';
import type { ActivityStatus, RunSettings } from '../../machines/settings.ts';

// The parts that loops of whole attempts share: each round is an attempt, and each attempt is a child run.

/** @public The context of such a loop. */
export interface Attempted extends Life {
  /** Attempts that have begun. */
  readonly iterations: number;
}

/** The fact that begins an attempt. */
export const ATTEMPT_STARTED = 'iteration.started';

/** The rounds of a loop whose context counts `iterations`. */
export const attemptRounds: Rounds = {
  started: ATTEMPT_STARTED,
  begin: (context: Attempted, { at, reserved }) => ({
    type: ATTEMPT_STARTED,
    payload: { iteration: context.iterations, startedAt: at, ...(reserved ? { reserved } : {}) },
  }),
  count: (context: Attempted) => context.iterations,
  limit: 'iterations',
};

/** How people read a loop of attempts. */
const attemptDescription: LoopDescription = {
  round: 'iteration',
  child: 'attempt',
  line: ({ type, payload }: Recorded<AttemptEvent>) =>
    type === ATTEMPT_STARTED ? `iteration ${payload.iteration + 1}` : null,
};

/** The same, with the descriptions that a loop has for its own events. */
export const describedAttempts = (own: Partial<LoopDescription> = {}): LoopDescription => ({
  ...attemptDescription,
  ...own,
  line: (event) => own.line?.(event) ?? attemptDescription.line(event),
});

/** An attempt may use the whole remaining budget. */
export function reserveForAttempt({ state }: RunContext): Share | null {
  const left = leftFor(lifeOf(state), 'agent');
  return isLimited(left) ? left : null;
}

/** The reservation is recorded in the event that begins the attempt. */
export const setAsideForAttempt = ({ type, payload }: LoopEvent): Readonly<Record<string, Share>> =>
  type === ATTEMPT_STARTED && payload.reserved ? { agent: payload.reserved } : {};

/** Caps on steps and calls apply to each attempt. Verified work needs a tree hash, which only git provides. */
export const attemptBounds: LoopSettings = {
  bounds: ['maxIterations', 'maxTokens', 'maxTimeMs'],
  ofChildren: ['maxSteps', 'maxToolCalls'],
  needsGit: true,
};

/** A loop as its author writes it: its machine, its events, and whatever else differs from a loop of attempts. */
export interface WrittenLoop<Event extends AnyEvent = AnyEvent> extends Partial<
  Omit<LoopDefinition, 'id' | 'machine' | 'events' | 'module' | 'describe'>
> {
  /** Made by XState's `setup({…}).createMachine({…})`, with an `id` and a `version`. */
  readonly machine: CatalogueEntry['machine'];
  /** All that can happen to it: a discriminated union of facts. */
  readonly events: z.ZodType<Event>;
  /** How people read its events. What is left out is as in a loop of attempts. */
  readonly describe?: Partial<LoopDescription>;
}

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
