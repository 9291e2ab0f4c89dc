import { z } from 'zod';

/** A payload as some schema had it. */
export type PastPayload = Readonly<Record<string, unknown>>;

/** Turns a payload of one schema into one of the next. Pure, and never changed after a release has recorded with it. */
export type Upcast = (payload: PastPayload) => PastPayload;

/** For a change that leaves every recorded payload valid, such as a new optional member. */
export const unchanged: Upcast = (payload) => payload;

const pasts = z.registry<{ readonly upcasts: readonly Upcast[] }>();

/**
 * The schema of one event: what happened, in the past tense, and what it carries.
 *
 * A change of `shape` is a new schema number: add the upcast from the number before it to `upcasts`. The first upcast leads
 * from schema 1 to 2, so the number of today is one more than there are upcasts.
 *
 * @example
 * fact('review.given', { approved: z.boolean(), remark: z.string() }, [(payload) => ({ remark: '', ...payload })]);
 */
export const fact = <Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape, upcasts: readonly Upcast[] = []) =>
  z.strictObject({ type: z.literal(type), payload: z.strictObject(shape) }).register(pasts, { upcasts });

/** What a loop knows of one type of event. */
export interface Word {
  /** The number that its payloads are recorded with today. */
  readonly schema: number;
  /** Parses `{type, payload}`. */
  readonly event: z.ZodType;
  /** The first leads from schema 1 to 2. */
  readonly upcasts: readonly Upcast[];
}

/** Every event that can be read, by its type. */
export type Vocabulary = ReadonlyMap<string, Word>;

const known = new WeakMap<z.ZodType, Vocabulary>();

/** The vocabulary of a union of facts. What is no fact is left out: `defineLoop` refuses it. */
export function vocabularyOf(events: z.ZodType): Vocabulary {
  const before = known.get(events);
  if (before) return before;
  const vocabulary = new Map(factsIn(events).flatMap(entriesOf));
  known.set(events, vocabulary);
  return vocabulary;
}

function factsIn(events: z.core.$ZodType): readonly z.ZodObject[] {
  if (events instanceof z.ZodUnion) return events.options.flatMap(factsIn);
  return events instanceof z.ZodObject ? [events] : [];
}

function entriesOf(event: z.ZodObject): [type: string, word: Word][] {
  const { type } = event.shape;
  const { upcasts } = pasts.get(event) ?? { upcasts: [] };
  const word = { schema: upcasts.length + 1, event, upcasts };
  return type instanceof z.ZodLiteral ? [...type.values].map((name) => [String(name), word]) : [];
}
