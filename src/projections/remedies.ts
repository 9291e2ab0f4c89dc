import type { AnyEvent, Recorded } from '../../machines/events.ts';
import type { Fact } from '../kernel/effect-handlers.ts';
import type { LoopDefinition } from '../kernel/loop-definition.ts';

/** Something that a person has to do outside of the program before a run can go on, since a time (RFC 3339). */
export interface Remedy {
  readonly text: string;
  readonly since: string;
}

const ENDS: ReadonlySet<string> = new Set(['run.resumed', 'run.continued', 'abort.requested', 'decision.made']);

/** What a run needs of people after one more of its facts. `loop`: the fact's, null where it is unknown here. */
export function remedyAfter(before: Remedy | null, fact: Fact, loop: LoopDefinition | null): Remedy | null {
  if (ENDS.has(fact.type)) return null;
  const text = loop?.describe.remedy?.(fact as Recorded<AnyEvent>) ?? null;
  return text === null ? before : { text, since: fact.at };
}
