import type { Json } from '../log/envelope.ts';
import { jsonFault } from '../log/json-gate.ts';
import type { Fact, Unreadable } from '../log/read-event.ts';
import { unreadableText } from '../log/unreadable.ts';
import type { LoopDefinition } from '../kernel/loop-definition.ts';
import { lineOfEvent } from './line-of-event.ts';
import { oneLine } from './phrases.ts';

/** One event of a run in one line. */
export interface TimelineEntry {
  /** The run that recorded it: for the events that a continuation shares, the original run. */
  readonly run: string;
  readonly version: number;
  readonly at: string;
  readonly type: string;
  readonly text: string;
}

const MAX_TEXT_CHARS = 160;

/**
 * A fact as a line for people: rounds counted from 1, contents cut at so many characters. `loop` describes its own
 * events; where it is null, or has no line for one, the line is the recorded payload.
 *
 * @example
 * timelineEntry(fact, knownLoop('reviewed@1', loops)).text; // rejected: the names are unclear
 */
export function timelineEntry(fact: Fact, loop: LoopDefinition | null, most = MAX_TEXT_CHARS): TimelineEntry {
  const { run, version, at, type, payload } = fact;
  const said = lineOfEvent(fact) ?? loop?.describe.line(fact) ?? JSON.stringify(payload);
  return { run, version, at, type, text: oneLine(said, most) };
}

/** An unreadable event as a line: the reason, and the recorded payload. */
export function unreadableEntry(unreadable: Unreadable, payload: Json): TimelineEntry {
  const { run, version, at, type } = unreadable;
  return {
    run,
    version,
    at,
    type,
    text: oneLine(`unreadable (${unreadableText(unreadable)}): ${payloadText(payload)}`, MAX_TEXT_CHARS),
  };
}

/** A payload that was edited may be nested deeper than JSON can be written. */
const payloadText = (payload: Json): string => jsonFault(payload)?.found ?? JSON.stringify(payload);
