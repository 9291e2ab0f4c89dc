import { z } from 'zod';

/** A payload of an earlier schema. */
export type PastPayload = Readonly<Record<string, unknown>>;

/** Converts a payload of one schema to the next. Pure, and never changed after a release has recorded with it. */
export type Upcast = (payload: PastPayload) => PastPayload;

/** For a change that leaves every recorded payload valid, such as a new optional member. */
export const unchanged: Upcast = (payload) => payload;

const pasts = z.registry<{ readonly upcasts: readonly Upcast[] }>();

/**
 * The schema of one event: what happened, in the past tense, and what it carries.
 *
 * A change of `shape` is a new schema number: add the upcast from the previous number to `upcasts`. The first upcast
 * converts from schema 1 to 2, so the current number is the number of upcasts plus one.
 *
 * @example
 * fact('review.given', { approved: z.boolean(), remark: z.string() }, [(payload) => ({ remark: '', ...payload })]);
 */
export const fact = <Type extends string, Shape extends z.ZodRawShape>(
  type: Type,
  shape: Shape,
  upcasts: readonly Upcast[] = [],
) => z.strictObject({ type: z.literal(type), payload: z.strictObject(shape) }).register(pasts, { upcasts });

/** How one type of event is read. */
export interface Word {
  /** The schema number that new payloads are recorded with. */
  readonly schema: number;
  /** Parses `{type, payload}`. */
  readonly event: z.ZodType;
  /** The first converts from schema 1 to 2. */
  readonly upcasts: readonly Upcast[];
}

/** Every event that can be read, by its type. */
export type Vocabulary = ReadonlyMap<string, Word>;

const known = new WeakMap<z.ZodType, Vocabulary>();

/** The vocabulary of a union of facts. Members that are not facts are left out: `defineLoop` refuses them. */
export function vocabularyOf(events: z.ZodType): Vocabulary {
  const cached = known.get(events);
  if (cached) return cached;
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
