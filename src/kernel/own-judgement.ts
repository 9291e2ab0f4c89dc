import type { Finding } from '../../machines/outcome.ts';
import type { CallKindOf } from './call-kinds.ts';
import type { RunContext } from './effect-handlers.ts';
import type { RunMemory } from './loop-memory.ts';

/**
 * A pure answer of a loop's own that rests on limits and findings, as its decisions do: which calls may run, for
 * example. `redecide` compares what was recorded with what would be answered now.
 */
export interface OwnJudgement {
  /** A name for programs: `admission`. Not `decision`. */
  readonly kind: string;
  /** The answer of today's judge, in place of the recorded one. */
  again(recorded: OwnAnswer, asked: AskedAgain): OwnAnswer;
  /** The answer in a few words. Answers with equal words agree. */
  verdict(answer: OwnAnswer): string;
  /** Why, in one line. */
  because(answer: OwnAnswer): string;
  /** What two answers differ in: `in what is refused`. */
  readonly differs: string;
}

/** The payload of the event that holds the answer. */
export type OwnAnswer = object & { readonly findings?: readonly Finding[] | undefined };

/** The state of a run when the answer was recorded. */
export interface AskedAgain extends Pick<RunContext, 'state' | 'settings'> {
  readonly memory: RunMemory;
  readonly callKind: CallKindOf;
}
