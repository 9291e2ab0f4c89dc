import { z } from 'zod';
import type { AnyEvent, LoopEvent } from '../../../machines/events.ts';
import type { CatalogueEntry } from '../../../machines/index.ts';
import type { Outstanding, RunState } from '../../runtime/fold.ts';
import { placeOf } from '../../runtime/mark.ts';
import { answersOf } from '../lint/answer-rules.ts';
import { typesIn } from '../lint/vocabulary.ts';
import type { World } from '../world.ts';

/** A world says what its loop has no word for, or opens no run of it. */
export class WorldError extends Error {
  override readonly name = 'WorldError';
  /** Which part of the world says it: `answers of review in verify.reviewing`. */
  readonly part: string;
  readonly event: unknown;

  constructor(part: string, found: string, event?: unknown) {
    super(`the ${part} of the world: ${found}`);
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

export interface Spoken {
  readonly world: World;
  /** The types of all that was said so far. */
  readonly said: ReadonlySet<string>;
  /** The effects that were started so far and that the world has no answer for in any state, by their name. */
  readonly unanswered: ReadonlyMap<string, WorldError>;
}

/** A world whose every word is looked up in the vocabulary of its loop. Throws a `WorldError` where it is not in there. */
export function spoken(loop: CatalogueEntry, world: World): Spoken {
  const known = new WeakSet<object>();
  const said = new Set<string>();
  const answered = new Set<string>();
  const unanswered = new Map<string, WorldError>();
  const heard = <Event extends LoopEvent>(event: Event, part: string): Event => {
    if (typeof event === 'object' && event !== null && known.has(event)) return event;
    const parsed = loop.events.safeParse(event);
    if (!parsed.success) throw new WorldError(part, notInVocabulary(loop, event, parsed.error), event);
    known.add(event);
    said.add(event.type);
    return event;
  };
  const all = <Event extends LoopEvent>(events: readonly Event[], part: string): readonly Event[] => {
    for (const event of events) heard(event, part);
    return events;
  };
  const openings = Object.entries(world.openings);
  if (openings.length === 0) throw new WorldError('openings', `there is none. Add a 'run.started' of ${loop.id}`);
  for (const [name, opening] of openings) {
    const { type, payload } = heard(opening, `opening ${name}`);
    if (type !== 'run.started') throw new WorldError(`opening ${name}`, `${type} opens no run. Write 'run.started'`, opening);
    if (payload.machine !== loop.id) {
      throw new WorldError(`opening ${name}`, `its run is one of ${payload.machine}. Write \`machine: '${loop.id}'\``, opening);
    }
  }
  all(world.noise, 'noise');
  const answersFor = (effect: Outstanding, state: RunState): readonly LoopEvent[] => {
    const { actor, key } = effect;
    const part = `answers of ${actor} (${key}) in ${placeOf(state.snapshot)}`;
    const events: unknown = world.answers(effect, state);
    if (!Array.isArray(events)) throw new WorldError(part, `${String(events)} is no list. Return the events that ${actor} may answer`, events);
    if (events.length > 0) {
      answered.add(actor);
      unanswered.delete(actor);
    } else if (!answered.has(actor)) {
      const results = answersOf(loop, key);
      if (results.length > 0) unanswered.set(actor, new WorldError(part, `there is none, here or elsewhere. Return what ${actor} may answer: ${results.join(', ')}`));
    }
    return all(events as readonly LoopEvent[], part);
  };
  return {
    said,
    unanswered,
    world: {
      openings: world.openings,
      noise: world.noise,
      answers: answersFor,
      remarks: (state) => all(world.remarks(state), 'remarks'),
      follows: (event, state) => {
        const next = world.follows(event, state);
        return next && heard(next, `follower of ${event.type}`);
      },
    },
  };
}
