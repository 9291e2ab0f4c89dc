import { commonVocabulary } from '../../machines/events.ts';
import { catalogue, type CatalogueEntry } from '../../machines/index.ts';
import { type Vocabulary, vocabularyOf } from '../../machines/vocabulary.ts';
import type { EventStore, Range } from './event-store.ts';
import { PROGRAM } from './program-version.ts';
import { type Readable, readEvent, type ReadEvent, type Unreadable, type Writer } from './read-event.ts';

/** A loop as a log names it, with the events that it knows. */
export type Loop = Pick<CatalogueEntry, 'id' | 'events' | 'module'>;

export interface ReadingOptions {
  /** Parses every payload as a whole: for what comes from outside, and for pages. */
  readonly isWhole?: boolean;
  /** Which machine folds the run where the reading begins, if that is not at its start. */
  readonly machine?: string;
}

/** Events that say who writes from here on. */
const SIGNED: ReadonlySet<string> = new Set(['run.started', 'run.resumed', 'run.continued', 'run.migrated']);

/**
 * Reads the events of one run, in order. From its start on it knows which loop wrote them: the events are those of this
 * loop, or, where it is not among `loops`, those of every loop. Payloads that this version of the program wrote are not
 * parsed again, except those of a loop that does not ship: its module can change its schemas while the program, and its
 * own version, stay.
 *
 * @example
 * const reading = new Reading();
 * for await (const envelope of log.read(run)) console.log(reading.read(envelope));
 */
export class Reading {
  readonly #loops: readonly Loop[];
  readonly #isWhole: boolean;
  #writtenBy: Writer = { machine: null, program: null };
  #loop: { readonly vocabulary: Vocabulary; readonly isKnown: boolean; readonly ships: boolean };

  constructor(loops: readonly Loop[] = catalogue, { isWhole = false, machine }: ReadingOptions = {}) {
    this.#loops = loops;
    this.#isWhole = isWhole;
    // Until the loop is known, an event may be one of any.
    this.#loop = { vocabulary: allOf(loops), isKnown: true, ships: true };
    if (machine !== undefined) this.#knowLoop(machine);
  }

  read(envelope: Readable): ReadEvent {
    const signs = SIGNED.has(envelope.type);
    if (signs) this.#sign(envelope);
    const { vocabulary, isKnown: knowsLoop, ships } = this.#loop;
    const isWhole = this.#isWhole || signs || !ships || this.#writtenBy.program !== PROGRAM;
    return readEvent(envelope, { vocabulary, isWhole, knowsLoop, writtenBy: this.#writtenBy });
  }

  /** Also where the event itself cannot be read: who wrote it is what a person has to know then. */
  #sign({ type, payload }: Readable): void {
    const { machine, to, program } = Object(payload) as { readonly [member: string]: unknown };
    const folds = type === 'run.migrated' ? to : machine;
    if (typeof folds === 'string') this.#knowLoop(folds);
    if (type === 'run.migrated') return;
    this.#writtenBy = { ...this.#writtenBy, program: typeof program === 'string' ? program : null };
  }

  #knowLoop(machine: string): void {
    const loop = this.#loops.find(({ id }) => id === machine);
    // The first loop that is not known is what is missing.
    if (!loop && !this.#loop.isKnown) return;
    this.#loop = {
      vocabulary: loop ? vocabularyOf(loop.events) : commonVocabulary,
      isKnown: loop !== undefined,
      ships: loop?.module === undefined,
    };
    this.#writtenBy = { ...this.#writtenBy, machine };
  }
}

const merged = new WeakMap<readonly Loop[], Vocabulary>();

/** The events of several loops; where two have one of the same name, that of the first. */
function allOf(loops: readonly Loop[]): Vocabulary {
  const before = merged.get(loops);
  if (before) return before;
  const vocabulary = new Map(loops.toReversed().flatMap(({ events }) => [...vocabularyOf(events)]));
  merged.set(loops, vocabulary);
  return vocabulary;
}

/** Reads an event by itself: it may be one of any of the loops. */
export const readAlone = (envelope: Readable, loops?: readonly Loop[]): ReadEvent => new Reading(loops).read(envelope);

/**
 * Reads the events of a run of a log, in order, each as what it is or as one that cannot be read. `loops`: those whose
 * events are known; without them, those that ship.
 *
 * @example
 * for await (const read of readEvents(log, run)) console.log(read.kind === 'event' ? read.event.type : read.because);
 */
export async function* readEvents(
  log: EventStore,
  run: string,
  loops?: readonly Loop[],
  how: ReadingOptions & Range = {},
): AsyncGenerator<ReadEvent> {
  for await (const page of readPages(log, run, loops, how)) yield* page;
}

/** `readEvents` by pages, for long runs. */
export async function* readPages(
  log: EventStore,
  run: string,
  loops?: readonly Loop[],
  how: ReadingOptions & Omit<Range, 'salts'> = {},
): AsyncGenerator<readonly ReadEvent[]> {
  const reading = new Reading(loops, how);
  for await (const page of log.pages(run, how)) yield page.map((envelope) => reading.read(envelope));
}

/** The first event of a run that cannot be read, every payload parsed; null where all of them can. */
export async function firstUnreadable(
  log: EventStore,
  run: string,
  loops?: readonly Loop[],
): Promise<Unreadable | null> {
  for await (const page of readPages(log, run, loops, { isWhole: true })) {
    const found = page.find((read) => read.kind === 'unreadable');
    if (found) return found;
  }
  return null;
}
