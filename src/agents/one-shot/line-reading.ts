import type { AgentEnding } from '../agent-ending.ts';
import type { AgentEvent } from '../agent-port.ts';
import type { JsonObject } from '../json-object.ts';

/** The meaning of one line of output. */
export interface Read {
  readonly events: readonly AgentEvent[];
  /** Says how the work ended. Absent: it does not. */
  readonly ending?: AgentEnding;
}

/** A reader of the lines of one prompt, each a JSON object: what it has read before may change what a line says. */
export type LineReading = (line: JsonObject) => Read;

export const NOTHING: Read = { events: [] };

/** One event, or none where there is no text. */
export const said = (kind: 'message' | 'thought', text: string): readonly AgentEvent[] =>
  text === '' ? [] : [{ kind, text }];
