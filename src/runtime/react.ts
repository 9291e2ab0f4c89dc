import type { EventOf, LoopEvent, Recorded } from '../../machines/events.ts';
import type { RunSettings } from '../../machines/settings.ts';
import { vocabularyOf } from '../../machines/vocabulary.ts';
import { jsonFault } from '../log/json.ts';
import type { Json, NewEvent } from '../log/envelope.ts';
import type { Cast } from './cast.ts';
import { fold, lifeOf, type RunState } from './fold.ts';
import { withKept } from './kept.ts';
import type { LoopDefinition } from './loop-definition.ts';
import { madeBy } from './made-by-loop.ts';
import type { Letter, Refusal } from './mailbox.ts';
import { markOf } from './mark.ts';
import { refusal } from './step.ts';

/** More than this in one transaction is a decision that never comes to rest: a bug. */
const MAX_BATCH_EVENTS = 64;

/** Events that belong together: what came from outside, and every decision that follows from it. */
export interface Batch {
  readonly state: RunState;
  readonly events: readonly NewEvent[];
}

export interface Stage {
  readonly run: string;
  readonly settings: RunSettings;
  readonly loop: LoopDefinition;
  readonly cast: Cast;
  readonly redact: Redact;
}

/** Takes secrets out of a payload. What it returns has the same shape, and the same once more is the same. */
export type Redact = (payload: Json) => Json;
export const asItIs: Redact = (payload) => payload;

/** An event that follows by itself, and what it is the answer to. */
type Caused = Pick<Letter, 'event' | 'causation'>;

/** What one letter brings: a batch to append, or the reason why it changes nothing. Decides; does nothing. */
export function react(stage: Stage, state: RunState, letter: Letter, at: string): Batch | Refusal {
  const { event, causation } = letter;
  if (causation !== null && !state.outstanding.some(({ effect }) => effect === causation)) return 'not_outstanding';
  if (jsonFault(event.payload) !== null) return 'not_json';
  // A command was parsed before it was known which run takes it, perhaps by the vocabulary of another loop.
  if (causation === null && !stage.loop.events.safeParse({ type: event.type, payload: event.payload }).success) return 'unexpected';
  const recorded = record(redacted(stage, withKept(event, lifeOf(state), stage.loop)), state.version + 1, at);
  const because = refusal(state.snapshot, recorded);
  if (because) return because;
  const next = follow(stage, state, recorded);
  return settle(stage, next, [fact(recorded, causation, next)]);
}

/** The batch that opens a run, its first decision included. */
export function opening(stage: Stage, state: RunState, started: Recorded<EventOf<'run.started'>>): Batch {
  stage.cast.observe({ ...started, run: stage.run }, state);
  return settle(stage, state, [fact(started, null, state)]);
}

/** Answers every pure effect at once, until the run waits for the world. */
function settle(stage: Stage, start: RunState, events: NewEvent[]): Batch {
  let state = start;
  for (;;) {
    const next = beginning(stage, state, events.at(-1)) ?? warning(stage, state, events) ?? decision(stage, state);
    if (!next) return { state, events };
    if (events.length >= MAX_BATCH_EVENTS) throw new Error(`${stage.run}/${state.version}: decisions without end`);
    const recorded = record(redacted(stage, madeBy(stage.loop, next.event)), state.version + 1, state.at);
    const because = refusal(state.snapshot, recorded);
    if (because) throw new Error(`${stage.run}/${state.version}: ${next.event.type} is ${because} after its own request`);
    state = follow(stage, state, recorded);
    events.push(fact(recorded, next.causation, state));
  }
}

/** A decision to go on is recorded together with what it starts, and what is set aside for that. */
function beginning({ run, settings, loop, cast }: Stage, state: RunState, newest: NewEvent | undefined): Caused | null {
  const decided = newest?.payload as EventOf<'decision.made'>['payload'] | undefined;
  if (newest?.type !== 'decision.made' || decided?.action !== 'continue') return null;
  const causation = String(state.version);
  const reserved = cast.reserve?.({ run, settings, state, at: state.at }) ?? null;
  const event = loop.rounds.begin(lifeOf(state), { at: state.at, reserved });
  return { event: event as LoopEvent, causation };
}

/** Whatever has just begun may be among the last that a limit allows. */
function warning({ run, settings, loop, cast }: Stage, state: RunState, events: readonly NewEvent[]): Caused | null {
  const begun = events.findLastIndex(({ type }) => type === loop.rounds.started);
  if (begun < 0 || events.slice(begun + 1).some(({ type }) => type !== 'warning.raised')) return null;
  const event = cast.warn?.({ run, settings, state, at: state.at });
  return event ? { event, causation: String(state.version) } : null;
}

function decision({ run, settings, cast }: Stage, state: RunState): Caused | null {
  for (const effect of state.outstanding) {
    const event = effect.told ? null : cast.decide(effect, { run, settings, state, at: state.at });
    if (event) return { event, causation: effect.effect };
  }
  return null;
}

function follow({ run, cast }: Stage, state: RunState, recorded: Recorded<LoopEvent>): RunState {
  const next = fold(state, recorded);
  cast.observe({ ...recorded, run }, next);
  return next;
}

/** Nothing is decided on that is not recorded: secrets are gone before anybody looks. */
const redacted = ({ redact }: Stage, event: LoopEvent): LoopEvent =>
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
  return { type, schema: word.schema, payload: payload as Json, at, causation, mark: markOf(after) };
}
