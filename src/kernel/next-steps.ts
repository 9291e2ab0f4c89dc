import type { AnyEvent } from '../../machines/events.ts';
import type { FactOf } from './effect-handlers.ts';

/** What users may want to do after a run has ended, folded from its facts. */
export interface NextSteps {
  observe(fact: FactOf<AnyEvent>): void;
  /** The likeliest first. `run`: how commands name the run. */
  steps(run: string): readonly NextStep[];
}

/** A command by its words; or the verb that starts such a run, once more with these flags. */
export type NextStep =
  | { readonly kind: 'command'; readonly words: readonly string[] }
  | { readonly kind: 'anew'; readonly verb: string; readonly flags: readonly string[] };
