import type { EventOf, LoopEvent, Recorded } from '../../machines/events.ts';
import { answererOf } from '../../machines/index.ts';
import type { RunSettings } from '../../machines/settings.ts';
import { vocabularyOf } from '../../machines/vocabulary.ts';
import { jsonFault } from '../log/json-gate.ts';
import type { Json, NewEvent } from '../log/envelope.ts';
import type { Activity, DecidingHandlers, EffectHandlers } from './effect-handlers.ts';
import { fold, lifeOf, type RunState } from './fold.ts';
import { withUnsettledReservation } from './reservation-without-end.ts';
import { type LoopDefinition, specOf } from './loop-definition.ts';
import { madeBy } from './loop-authorship.ts';
import type { RunMessage, Refusal } from './run-message.ts';
import { markOf, wholeMarkOf } from './position.ts';
import { refusal } from './step.ts';

// One message to a run, decided: nothing is written, and nothing starts. The handlers observe each folded fact, so
// what they remember is ahead of the log until the batch is committed; a run whose batch is not committed leaves the
// process.
//   react     checks that the state expects the event, folds it, and settles what follows; or says why it is refused.
//   settle    answers every effect that is a pure decision, until only effects remain that must be executed:
//               a decision to continue is recorded with the beginning of its round (`beginning`),
//               a round that begins near a limit with a warning (`warning`),
//               an effect such as `judge`, which only decides, with its answer (`decision`).
//   opening   does the same for the first event of a run.
// The result is a batch: events that are appended in one transaction (commit.ts), with the state after the last of
// them. Secrets are taken out of each event before it is folded, so nothing is decided on that is not recorded.

/** More events than this in one transaction are a decision that never comes to rest: a bug. */
const MAX_BATCH_EVENTS = 64;

/** Events that belong together: an external one, and every decision that follows from it. */
export interface Batch {
  readonly state: RunState;
  readonly events: readonly NewEvent[];
  /** The state after each of its events. */
  readonly states: readonly RunState[];
  /** Those of its events that are activities of the loop, by their versions. */
  readonly activities: readonly BatchActivity[];
}

/** An activity of a batch, and when it is recorded. */
export interface BatchActivity extends Activity {
  readonly version: number;
  readonly at: string;
}

/** What stays the same for a run as long as it is live. To decide, it needs the handlers that decide alone. */
export interface RunScope<Handlers extends DecidingHandlers = EffectHandlers> {
  readonly run: string;
  readonly settings: RunSettings;
  readonly loop: LoopDefinition;
  readonly handlers: Handlers;
  readonly redact: Redact;
}

type Deciding = RunScope<DecidingHandlers>;

/** Takes secrets out of a payload. Keeps its shape, and is idempotent. */
export type Redact = (payload: Json) => Json;
/** What is taken out of the payloads of a run: its settings say which variables its commands see. */
export type RedactFor = (settings: Pick<RunSettings, 'environment'>) => Redact;
export const asItIs: Redact = (payload) => payload;

/** An event that the runtime adds by itself, and what it answers. */
type Caused = Pick<RunMessage, 'event' | 'causation'>;

/** The batch that one message leads to, or the reason why it changes nothing. */
export function react(scope: Deciding, state: RunState, message: RunMessage, at: string): Batch | Refusal {
  const { event, causation } = message;
  if (causation !== null && !state.outstanding.some(({ effect }) => effect === causation)) return 'not_outstanding';
  if (jsonFault(event.payload) !== null) return 'not_json';
  // A command was parsed before it was known which run takes it, perhaps by the vocabulary of another loop.
  if (causation === null && !scope.loop.events.safeParse({ type: event.type, payload: event.payload }).success)
    return 'unexpected';
  if (event.type === 'effect.interrupted' && !isOutstanding(state, answererOf(scope.loop, event))) return 'unexpected';
  const recorded = record(
    redacted(scope, withUnsettledReservation(event, lifeOf(state), scope.loop)),
    state.version + 1,
    at,
  );
  const because = refusal(state.snapshot, recorded);
  if (because) return because;
  const next = follow(scope, state, recorded);
  return settle(scope, next, [fact(recorded, causation, next)], activitiesOf(scope, recorded, next));
}

/** The batch that opens a run, its first decision included. */
export function opening(scope: Deciding, state: RunState, started: Recorded<EventOf<'run.started'>>): Batch {
  scope.handlers.observe({ ...started, run: scope.run }, state);
  return settle(scope, state, [fact(started, null, state)], activitiesOf(scope, started, state));
}

/** Answers every pure effect at once, until the run waits for executed effects. */
function settle(scope: Deciding, start: RunState, events: NewEvent[], activities: BatchActivity[]): Batch {
  let state = start;
  const states = [start];
  for (;;) {
    const next = beginning(scope, state, events.at(-1)) ?? warning(scope, state, events) ?? decision(scope, state);
    if (!next) return { state, states, events: withMemory(events, state), activities };
    if (events.length >= MAX_BATCH_EVENTS) throw new Error(`${scope.run}/${state.version}: decisions without end`);
    const recorded = record(redacted(scope, madeBy(scope.loop, next.event)), state.version + 1, state.at);
    const because = refusal(state.snapshot, recorded);
    if (because)
      throw new Error(`${scope.run}/${state.version}: ${next.event.type} is ${because} after its own request`);
    state = follow(scope, state, recorded);
    states.push(state);
    events.push(fact(recorded, next.causation, state));
    activities.push(...activitiesOf(scope, recorded, state));
  }
}

const isOutstanding = ({ outstanding }: RunState, name: string | null): boolean =>
  outstanding.some(({ key }) => key === name);

const withMemory = (events: readonly NewEvent[], state: RunState): readonly NewEvent[] =>
  events.map((event, index) => (index === events.length - 1 ? { ...event, mark: wholeMarkOf(state) } : event));

/** A decision to continue is recorded together with the beginning of its round, and the round's reservation. */
function beginning(
  { run, settings, loop, handlers }: Deciding,
  state: RunState,
  newest: NewEvent | undefined,
): Caused | null {
  const decided = newest?.payload as EventOf<'decision.made'>['payload'] | undefined;
  if (newest?.type !== 'decision.made' || decided?.action !== 'continue') return null;
  // The first decision may ask for the checks on the base, and not yet for a round.
  if (lifeOf(state).baseline === 'running') return null;
  const causation = String(state.version);
  const reserved = handlers.reserve?.({ run, settings, state, at: state.at }) ?? null;
  const event = loop.rounds.begin(lifeOf(state), { at: state.at, reserved });
  return { event: event as LoopEvent, causation };
}

/** The round that has just begun may be one of the last that a limit allows. */
function warning(
  { run, settings, loop, handlers }: Deciding,
  state: RunState,
  events: readonly NewEvent[],
): Caused | null {
  const begun = events.findLastIndex(({ type }) => type === loop.rounds.started);
  if (begun < 0 || events.slice(begun + 1).some(({ type }) => type !== 'warning.raised')) return null;
  const event = handlers.warn?.({ run, settings, state, at: state.at });
  return event ? { event, causation: String(state.version) } : null;
}

/** The answer of an effect that only decides, as the definition of the loop gives it. */
function decision({ run, settings, loop, handlers }: Deciding, state: RunState): Caused | null {
  const { memory, ...asked } = handlers.deciding();
  for (const effect of state.outstanding) {
    if (effect.told) continue;
    const event = specOf(effect, loop).decide?.({ run, settings, state, at: state.at }, memory, { ...asked, effect });
    if (event) return { event: event as LoopEvent, causation: effect.effect };
  }
  return null;
}

function follow({ run, handlers }: Deciding, state: RunState, recorded: Recorded<LoopEvent>): RunState {
  const next = fold(state, recorded);
  handlers.observe({ ...recorded, run }, next);
  return next;
}

function activitiesOf({ loop, settings }: Deciding, recorded: Recorded<LoopEvent>, after: RunState): BatchActivity[] {
  const activity = loop.activity?.(recorded, lifeOf(after), settings);
  return activity ? [{ ...activity, version: recorded.version, at: recorded.at }] : [];
}

/** Secrets are removed before an event is folded: nothing is decided on that is not recorded. */
const redacted = ({ redact }: Deciding, event: LoopEvent): LoopEvent =>
  ({ type: event.type, payload: redact(event.payload as Json) }) as LoopEvent;

export const record = <Event extends LoopEvent>(event: Event, version: number, at: string): Recorded<Event> => ({
  ...event,
  version,
  at,
});

/** An event as it is recorded, with the number that its schema has today. */
export function fact({ type, payload, at }: Recorded<LoopEvent>, causation: string | null, after: RunState): NewEvent {
  const word = vocabularyOf(after.entry.events).get(type);
  if (!word) throw new Error(`${type} is no event of ${after.entry.id}`);
  return { type, schema: word.schema, payload: payload as Json, at, causation, mark: markOf(type, after) };
}
