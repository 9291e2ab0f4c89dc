import type { ToolCall } from '../../machines/events.ts';
import type { Finding } from '../../machines/outcome.ts';
import type { Situation } from './cast.ts';
import type { RunMemory } from './loop-memory.ts';

/**
 * A pure answer of a loop's own that rests on limits and findings, as its decisions do: which calls may run, for
 * example. `redecide` compares what was recorded with what would be answered now.
 */
export interface OwnJudgement {
  /** In a word, for programs: `admission`. It is not `decision`. */
  readonly kind: string;
  /** What would be answered now, in place of what was recorded. */
  again(recorded: OwnAnswer, asked: AskedAgain): OwnAnswer;
  /** What an answer comes to, in a few words. Answers that come to the same agree. */
  verdict(answer: OwnAnswer): string;
  /** Why, in one line. */
  because(answer: OwnAnswer): string;
  /** In what two answers differ: `in what is refused`. */
  readonly differs: string;
}

/** The payload of the event that holds the answer. */
export type OwnAnswer = object & { readonly findings?: readonly Finding[] | undefined };

/** Where a run stood when the answer was recorded. */
export interface AskedAgain extends Pick<Situation, 'state' | 'settings'> {
  readonly memory: RunMemory;
  readonly callKind: CallKindOf;
}

/** Who answers a call of the model: a tool, a person, or a child run. */
export type CallKind = 'tool' | 'person' | 'child';

/** `tools` are those that the run offers. */
export type CallKindOf = (call: Pick<ToolCall, 'tool' | 'arguments'>, tools: readonly string[]) => CallKind;
