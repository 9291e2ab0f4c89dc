import type { LoopEvent } from '../../machines/events.ts';
import type { Finding } from '../../machines/outcome.ts';

/** An event as the log holds it. */
export type LoggedEvent = LoopEvent & {
  readonly run: string;
  readonly version: number;
  /** When it was recorded. Absent: unknown. */
  readonly at?: string;
};
export type Logged<Type extends LoopEvent['type']> = Extract<LoggedEvent, { type: Type }>;

export interface Noticed<State> {
  readonly state: State;
  readonly finding?: Finding;
  /**
   * The reason to refuse the next call like it, of detectors with a ladder. Null: the row that it came from is over,
   * and nothing is refused any more. See `withRefusal`.
   */
  readonly refusal?: Refusal | null;
}

/** A finding by which a call is to be refused that has not been asked for yet. */
export interface Refusal {
  readonly finding: Finding;
  /** The calls that go on like before, by their signatures. */
  readonly actions: readonly string[];
  /** Tools of which every call goes on like before. */
  readonly tools: readonly string[];
}

/**
 * Folds the events of one run, in order. Pure, without a clock, and it never throws. Its state is plain JSON of bounded
 * size, so any old run can be asked what this detector would have found.
 *
 * `step` reports a finding with the event that brings it about. A stop may be reported again with later events, a nudge
 * may not: the judge collects the findings since the round began.
 */
export interface Detector<State = unknown> {
  readonly name: string;
  /** The types of the events that it looks at: any other leaves its state as it is. Absent: it looks at all. */
  readonly sees?: ReadonlySet<LoggedEvent['type']>;
  init(): State;
  step(state: State, event: LoggedEvent): Noticed<State>;
}

export const eventId = ({ run, version }: LoggedEvent): string => `${run}/${version}`;

/** The run and the version that an id of an event names. */
export function placeOf(id: string): { readonly run: string; readonly version: number } {
  const at = id.lastIndexOf('/');
  return { run: id.slice(0, at), version: Number(id.slice(at + 1)) };
}
