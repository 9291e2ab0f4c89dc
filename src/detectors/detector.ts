import type { LoopEvent } from '../../machines/events.ts';
import type { Finding } from '../../machines/outcome.ts';

/** An event as the log holds it. */
export type LoggedEvent = LoopEvent & { readonly run: string; readonly version: number };
export type Logged<Type extends LoopEvent['type']> = Extract<LoggedEvent, { type: Type }>;

export interface Noticed<State> {
  readonly state: State;
  readonly finding?: Finding;
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
  init(): State;
  step(state: State, event: LoggedEvent): Noticed<State>;
}

export const eventId = ({ run, version }: LoggedEvent): string => `${run}/${version}`;
