import { z } from 'zod';
import type { AnyEvent, LoopEvent } from '../../../machines/events.ts';
import type { CatalogueEntry } from '../../../machines/index.ts';
import type { Outstanding, RunState } from '../../kernel/fold.ts';
import { placeOf } from '../../kernel/position.ts';
import { answersOf } from '../lint/answer-rules.ts';
import { typesIn } from '../lint/event-types.ts';
import type { ProofEnvironment } from '../proof-environment.ts';

/** An environment offers an event that its loop does not know, or opens no run of it. */
export class ProofEnvironmentError extends Error {
  override readonly name = 'ProofEnvironmentError';
  /** The part of the environment: `answers of review in verify.reviewing`. */
  readonly part: string;
  readonly event: unknown;

  constructor(part: string, found: string, event?: unknown) {
    super(`the ${part} of the environment: ${found}`);
    this.part = part;
    this.event = event;
  }
}

function notInVocabulary(loop: CatalogueEntry, event: unknown, fault: z.ZodError): string {
  const type = (event as Partial<AnyEvent> | null | undefined)?.type;
  const known = typesIn(loop.events) ?? [];
  const why = type !== undefined && known.includes(type) ? z.prettifyError(fault) : `known: ${known.join(', ')}`;
  return `${type ?? String(event)} is no event of ${loop.id}; ${why}`;
}

export interface CheckedEnvironment {
  readonly environment: ProofEnvironment;
  /** The types of all events that were offered so far. */
  readonly seenTypes: ReadonlySet<string>;
  /** By name, the effects that were started so far and have no answer in any state. */
  readonly unanswered: ReadonlyMap<string, ProofEnvironmentError>;
}

/** Keeps which effects were started and had no answer in any state. */
class Unanswered {
  readonly effects = new Map<string, ProofEnvironmentError>();
  readonly #loop: CatalogueEntry;
  readonly #answered = new Set<string>();

  constructor(loop: CatalogueEntry) {
    this.#loop = loop;
  }

  note({ actor, key }: Outstanding, isAnswered: boolean, part: string): void {
    if (isAnswered) {
      this.#answered.add(actor);
      this.effects.delete(actor);
      return;
    }
    if (this.#answered.has(actor) || this.effects.has(actor)) return;
    const results = answersOf(this.#loop, key);
    if (results.length === 0) return;
    const found = `there is none, here or elsewhere. Return what ${actor} may answer: ${results.join(', ')}`;
    this.effects.set(actor, new ProofEnvironmentError(part, found));
  }
}

/** Returns the event if the vocabulary of its loop has it, and throws otherwise. */
type Check = <Event extends LoopEvent>(event: Event, part: string) => Event;

/** Throws where there is no opening, or one that opens no run of the loop. */
function checkOpenings(loop: CatalogueEntry, named: ProofEnvironment['openings'], checked: Check): void {
  const openings = Object.entries(named);
  if (openings.length === 0)
    throw new ProofEnvironmentError('openings', `there is none. Add a 'run.started' of ${loop.id}`);
  for (const [name, opening] of openings) {
    const { type, payload } = checked(opening, `opening ${name}`);
    if (type !== 'run.started')
      throw new ProofEnvironmentError(`opening ${name}`, `${type} opens no run. Write 'run.started'`, opening);
    if (payload.machine !== loop.id) {
      throw new ProofEnvironmentError(
        `opening ${name}`,
        `its run is one of ${payload.machine}. Write \`machine: '${loop.id}'\``,
        opening,
      );
    }
  }
}

/**
 * An environment whose every event is parsed by the vocabulary of its loop. Throws a `ProofEnvironmentError` where one
 * is not in it.
 */
export function checkedEnvironment(loop: CatalogueEntry, environment: ProofEnvironment): CheckedEnvironment {
  const parsedBefore = new WeakSet<object>();
  const seenTypes = new Set<string>();
  const unanswered = new Unanswered(loop);
  const checked: Check = (event, part) => {
    if (typeof event === 'object' && event !== null && parsedBefore.has(event)) return event;
    const parsed = loop.events.safeParse(event);
    if (!parsed.success) throw new ProofEnvironmentError(part, notInVocabulary(loop, event, parsed.error), event);
    parsedBefore.add(event);
    seenTypes.add(event.type);
    return event;
  };
  const allChecked = <Event extends LoopEvent>(events: readonly Event[], part: string): readonly Event[] => {
    for (const event of events) checked(event, part);
    return events;
  };
  checkOpenings(loop, environment.openings, checked);
  allChecked(environment.noise, 'noise');
  const answersFor = (effect: Outstanding, state: RunState): readonly LoopEvent[] => {
    const { actor, key } = effect;
    const part = `answers of ${actor} (${key}) in ${placeOf(state.snapshot)}`;
    const events: unknown = environment.answers(effect, state);
    if (!Array.isArray(events))
      throw new ProofEnvironmentError(
        part,
        `${String(events)} is no list. Return the events that ${actor} may answer`,
        events,
      );
    unanswered.note(effect, events.length > 0, part);
    return allChecked(events as readonly LoopEvent[], part);
  };
  return {
    seenTypes,
    unanswered: unanswered.effects,
    environment: {
      openings: environment.openings,
      noise: environment.noise,
      ...(environment.unread ? { unread: environment.unread } : {}),
      answers: answersFor,
      remarks: (state) => allChecked(environment.remarks(state), 'remarks'),
      follows: (event, state) => {
        const next = environment.follows(event, state);
        return next && checked(next, `follower of ${event.type}`);
      },
    },
  };
}
