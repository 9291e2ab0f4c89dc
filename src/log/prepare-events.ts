import { canonicalText } from './canonical-text.ts';
import type { Json, NewEvent } from './envelope.ts';
import { newSalt, payloadDigest } from './hash.ts';
import { sha256 } from './sha256.ts';
import { jsonFault } from './json-gate.ts';
import type { InboxCommand } from './inbox-store.ts';
import { MAX_REPORT_BYTES } from './outbox-store.ts';
import { type Append, type AppendResult, BLOB_THRESHOLD_BYTES, MAX_EVENT_BYTES } from './event-store.ts';
import { assertRunName, runOfEffect } from './effect-names.ts';

/** An event with everything computed that does not depend on its place in the run. */
export interface Prepared {
  readonly event: NewEvent;
  /** The payload in RFC 8785, or the reference to the blob that holds it. */
  readonly text: string;
  readonly blob: Blob | null;
  readonly salt: Buffer;
  readonly digest: string;
}

/** A large payload, kept once by the hash of its text. */
export interface Blob {
  readonly sha256: string;
  readonly text: string;
}

export type Preparation = { readonly kind: 'prepared'; readonly events: readonly Prepared[] } | Refused;
type Refused = Extract<AppendResult, { readonly kind: 'not_json' | 'too_large' }>;

/** No character takes more in UTF-8, for each of its UTF-16 units. */
const MAX_BYTES_OF_UNIT = 3;
/** The member that marks a reference to a blob. No payload of its own may have it. */
const BLOB_MEMBER = '$blob';
const BLOB_REFERENCE = /^\{"\$blob":"([0-9a-f]{64})","bytes":\d+\}$/;

/** The work of an append that needs no store. Unfit payloads are values; a malformed request throws a `TypeError`. */
export function prepare(request: Append): Preparation {
  assertRequest(request);
  const events: Prepared[] = [];
  for (const [index, event] of request.events.entries()) {
    assertEvent(event, request.events[index - 1]);
    const prepared = prepareEvent(event);
    if (prepared.kind !== 'prepared') return { ...prepared, index };
    events.push(prepared.event);
  }
  return { kind: 'prepared', events };
}

type PreparedEvent =
  | { readonly kind: 'prepared'; readonly event: Prepared }
  | { readonly kind: 'not_json'; readonly path: string; readonly found: string }
  | { readonly kind: 'too_large'; readonly bytes: number; readonly limitBytes: number };

function prepareEvent(event: NewEvent): PreparedEvent {
  const fault = jsonFault(event.payload) ?? reservedMember(event.payload);
  if (fault) return { kind: 'not_json', ...fault };
  const { text, blob, bytes } = storedText(event.payload);
  if (bytes > MAX_EVENT_BYTES) return { kind: 'too_large', bytes, limitBytes: MAX_EVENT_BYTES };
  const salt = newSalt();
  return { kind: 'prepared', event: { event, text, blob, salt, digest: payloadDigest(salt, text) } };
}

/** The text that an event keeps of its payload, with the blob that it stands for, and the bytes of that blob or 0. */
export function storedText(payload: Json): {
  readonly text: string;
  readonly blob: Blob | null;
  readonly bytes: number;
} {
  const canonical = canonicalText(payload);
  const whole = { text: canonical, blob: null, bytes: 0 };
  // Most payloads are too short for counting to matter: that would cost as much as writing them.
  if (canonical.length * MAX_BYTES_OF_UNIT <= BLOB_THRESHOLD_BYTES) return whole;
  const bytes = Buffer.byteLength(canonical);
  if (bytes <= BLOB_THRESHOLD_BYTES) return whole;
  const blob = { sha256: sha256(canonical), text: canonical };
  return { text: `{"${BLOB_MEMBER}":"${blob.sha256}","bytes":${bytes}}`, blob, bytes };
}

/** The hash of the blob that a stored payload stands for, or null when it is the payload itself. */
export const blobOf = (text: string): string | null => BLOB_REFERENCE.exec(text)?.[1] ?? null;

function reservedMember(payload: Json): { path: string; found: string } | null {
  const isReserved = typeof payload === 'object' && payload !== null && Object.hasOwn(payload, BLOB_MEMBER);
  return isReserved ? { path: `$.${BLOB_MEMBER}`, found: 'a member that only the log may write' } : null;
}

function assertRequest(request: Append): void {
  const { run, events, expectedVersion, epoch, parentEffect } = request;
  assertRunName(run);
  if (events.length === 0) throw new TypeError(`append to ${run}: expected at least one event`);
  assertWhole(expectedVersion, 'expectedVersion', 0);
  assertWhole(epoch, 'epoch', 0);
  assertReports(request);
  if (parentEffect === undefined) return;
  if (expectedVersion !== 0) throw new TypeError(`append to ${run}: parentEffect only opens a run`);
  if (runOfEffect(parentEffect) === run) throw new TypeError(`append to ${run}: a run cannot open itself`);
}

/** Reports are made by the caller: an unfit one is a bug of the caller. */
function assertReports({ run, events, expectedVersion, reports = [] }: Append): void {
  for (const { version, url, body } of reports) {
    const index = version - expectedVersion - 1;
    if (!events[index]) throw new TypeError(`append to ${run}: a report of version ${version}, which it does not have`);
    if (url === '' || !url.isWellFormed() || !body.isWellFormed())
      throw new TypeError(`${run}/${version}: expected a report with a URL and a text`);
    const bytes = Buffer.byteLength(body);
    if (bytes > MAX_REPORT_BYTES)
      throw new TypeError(`${run}/${version}: a report of ${bytes} bytes, at most ${MAX_REPORT_BYTES}`);
  }
}

/** Events of one append mostly share their time: it is checked once. */
function assertEvent({ type, schema, at, causation, mark }: NewEvent, before: NewEvent | undefined): void {
  if (type === '' || !type.isWellFormed()) throw new TypeError(`event type ${JSON.stringify(type)}: expected a name`);
  assertWhole(schema, `${type}: schema`, 1);
  if (at !== before?.at && !isTimestamp(at))
    throw new TypeError(`${type}: at ${at}: expected RFC 3339 in UTC with milliseconds`);
  if (causation !== null && !causation.isWellFormed()) throw new TypeError(`${type}: causation has a lone surrogate`);
  if (mark !== null && !mark.isWellFormed()) throw new TypeError(`${type}: mark has a lone surrogate`);
}

function assertWhole(value: number, name: string, atLeast: number): void {
  if (!Number.isSafeInteger(value) || value < atLeast) {
    throw new TypeError(`${name} ${value}: expected a whole number of at least ${atLeast}`);
  }
}

const TIMESTAMP = /^\d{4}-\d{2}-(\d{2})T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

/** A day or an hour that does not exist is read as one of the day after. */
const isTimestamp = (at: string): boolean => new Date(at).getUTCDate() === Number(TIMESTAMP.exec(at)?.[1]);

/** Throws for a malformed command: the caller has parsed it before, so this is a bug of the caller. */
export function assertCommand(run: string, { type, payload }: InboxCommand): void {
  assertRunName(run);
  const fault = jsonFault(payload);
  if (fault) throw new TypeError(`${type} for ${run}: expected JSON, found ${fault.found} at ${fault.path}`);
  const bytes = Buffer.byteLength(canonicalText(payload));
  if (bytes > MAX_EVENT_BYTES) throw new TypeError(`${type} for ${run}: ${bytes} bytes, at most ${MAX_EVENT_BYTES}`);
}
