import type { EventOf } from '../../machines/events.ts';
import type { Outcome, Spend } from '../../machines/outcome.ts';
import type { EffectHandlers } from '../kernel/effect-handlers.ts';

/** How a run left this process. */
export type RunEnd = EndedRun | PausedRun | { readonly kind: 'lost'; readonly detail: string };

/** `obstacle`: what the system has too little of, where that paused the run. */
export interface PausedRun {
  readonly kind: 'paused';
  readonly obstacle?: string;
}

export interface EndedRun {
  readonly kind: 'ended';
  readonly outcome: Outcome;
  readonly answer: string;
  /** The text of the model's last message, where a call in that message gave the answer. */
  readonly text?: string;
  readonly spend: Spend;
}

export type PausedBy = EventOf<'run.paused'>['payload']['by'];

/** The answer with which a run ends, and the text beside it where there is one. */
export function lastMessage({ answer, text }: EffectHandlers): Pick<EndedRun, 'answer' | 'text'> {
  const beside = text?.() ?? null;
  return { answer: answer(), ...(beside === null ? {} : { text: beside }) };
}

/** Thrown inside a run to leave it at once: another process owns it now, or its log has gone another way. */
export class Lost extends Error {
  override readonly name = 'Lost';
}
