import type { AnyEvent, LoopEvent, Recorded } from '../../machines/events.ts';
import type { PastPayload, Vocabulary, Word } from '../../machines/vocabulary.ts';
import type { Envelope, Json } from './envelope.ts';
import { z } from 'zod';

/** Compiling a schema takes about a millisecond, as long as some hundred values of it. */
const COMPILED_AFTER_VALUES = 200;

/** How many values a schema has seen, or its compiled form. */
const schemas = new WeakMap<z.ZodType, { seen: number; compiled: z.ZodType | null }>();

/** Whether a value fits a schema. One that has many values is compiled; what is wrong with a value, it does not say. */
export function fits(schema: z.ZodType, value: unknown): boolean {
  let known = schemas.get(schema);
  if (!known) {
    known = { seen: 0, compiled: null };
    schemas.set(schema, known);
  }
  if (known.compiled) return known.compiled.validate(value);
  known.seen += 1;
  if (known.seen === COMPILED_AFTER_VALUES) known.compiled = z.compile(schema);
  return schema.validate(value);
}

/** A recorded event together with the run that wrote it: in a fork's prefix that is not the run being read. */
export type FactOf<Event extends AnyEvent> = Recorded<Event> & { readonly run: string };
export type Fact = FactOf<LoopEvent>;

/** What is known of the process that recorded an event. */
export interface Writer {
  /** `turn@1`: the machine that its run is folded by. Null where the start of the run cannot be read either. */
  readonly machine: string | null;
  /** `loopfold@0.1.0`. Null where it was not recorded. */
  readonly program: string | null;
}

/**
 * Why an event cannot be read: its run's loop is not known, and so are its own events; the loop has no such event; the
 * number of its schema is higher than the one that is known; the payload is not what such an event carries; its content
 * was forgotten.
 */
export type UnreadableBecause = 'unknown_loop' | 'unknown_type' | 'later_schema' | 'misfit' | 'forgotten';

/** An event that this program cannot read. Pages print it; no fold passes it. */
export interface Unreadable extends Pick<Envelope, 'run' | 'version' | 'at' | 'type' | 'schema'> {
  readonly kind: 'unreadable';
  readonly because: UnreadableBecause;
  /** The highest schema number that is known of this type; null where the type is not known. */
  readonly knownSchema: number | null;
  /** Of a misfit: which member of the payload is wrong, and how. */
  readonly detail: string | null;
  readonly writtenBy: Writer;
}

export type ReadEvent = { readonly kind: 'event'; readonly event: Fact } | Unreadable;

/** As much of an envelope as reading takes. */
export type Readable = Pick<Envelope, 'run' | 'version' | 'at' | 'type' | 'schema' | 'payload'>;

/** What is known when an event is read. */
export interface ReadingContext {
  readonly vocabulary: Vocabulary;
  /** Parses the whole payload. Without it, a payload of the newest schema is taken as it stands. */
  readonly isWhole: boolean;
  /** Whether the loop of the run is known. */
  readonly knowsLoop: boolean;
  readonly writtenBy: Writer;
}

/**
 * The only way from an envelope to an event. An event of an older schema becomes one of today's; what cannot be read is
 * a value, not an error.
 */
export function readEvent(envelope: Readable, context: ReadingContext): ReadEvent {
  const { type, schema, payload } = envelope;
  const word = context.vocabulary.get(type);
  if (!word) return unreadable(envelope, context, context.knowsLoop ? 'unknown_type' : 'unknown_loop');
  if (schema > word.schema) return unreadable(envelope, context, 'later_schema');
  if (payload === null) return unreadable(envelope, context, 'forgotten');
  if (schema === word.schema && !context.isWhole) return taken(envelope);
  const detail = misfitOf(envelope, word);
  return typeof detail === 'string' ? unreadable(envelope, context, 'misfit', detail) : taken(detail);
}

/** The only type assertion of the program: from here on an envelope is what its type says. */
const taken = (envelope: Readable): ReadEvent => ({ kind: 'event', event: envelope as unknown as Fact });

/** The envelope with a payload of today's schema, or which member of it does not fit. */
function misfitOf(envelope: Readable, { schema, upcasts, event }: Word): Readable | string {
  let { payload } = envelope;
  try {
    for (const upcast of upcasts.slice(envelope.schema - 1)) payload = upcast(payload as PastPayload) as Json;
  } catch (error) {
    return `it does not become schema ${schema}: ${error instanceof Error ? error.message : String(error)}`;
  }
  const fact = { type: envelope.type, payload };
  // Before schemas had numbers, later programs added members: unknown ones are allowed.
  const issue = fits(event, fact)
    ? undefined
    : event.safeParse(fact).error?.issues.find(({ code }) => code !== 'unrecognized_keys');
  if (issue) return `${issue.path.join('.')}: ${issue.message}`;
  return payload === envelope.payload ? envelope : { ...envelope, payload, schema };
}

function unreadable(
  envelope: Readable,
  { vocabulary, writtenBy }: ReadingContext,
  because: UnreadableBecause,
  detail: string | null = null,
): Unreadable {
  const { run, version, at, type, schema } = envelope;
  return {
    kind: 'unreadable',
    run,
    version,
    at,
    type,
    schema,
    because,
    knownSchema: vocabulary.get(type)?.schema ?? null,
    detail,
    writtenBy,
  };
}
