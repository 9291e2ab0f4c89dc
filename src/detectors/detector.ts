import type { LoopEvent } from '../../machines/events.ts';
import type { Finding } from '../../machines/outcome.ts';

/** A fact as the log holds it. */
export type LoggedEvent = LoopEvent & { readonly run: string; readonly version: number };
export type Logged<Type extends LoopEvent['type']> = Extract<LoggedEvent, { type: Type }>;

export interface Noticed<State> {
  readonly state: State;
  readonly finding?: Finding;
}

/**
 * Folds the facts of one run, in order, into what it has noticed. Pure, without a clock, and never throwing. Its state
 * is plain JSON of bounded size: it can be stored, and any old run can be asked what this detector would have said.
 *
 * `step` reports a finding with the fact that brings it about, not again with later ones: whoever judges collects what
 * was found since the last decision.
 */
export interface Detector<State = unknown> {
  readonly name: string;
  init(): State;
  step(state: State, event: LoggedEvent): Noticed<State>;
}

export const eventId = ({ run, version }: LoggedEvent): string => `${run}/${version}`;
