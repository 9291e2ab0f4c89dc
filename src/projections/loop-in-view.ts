import { type LoopEvent, isShared, type AnyEvent, type Recorded } from '../../machines/events.ts';
import type { Fact } from '../kernel/effect-handlers.ts';
import type { LoopDefinition } from '../kernel/loop-definition.ts';
import { addUsage, usageOf } from '../../machines/life.ts';
import { NO_SPEND, type Spend } from '../../machines/outcome.ts';
import type { Additions } from '../kernel/loop-description.ts';

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

/**
 * What a fact adds to the page and the account of its run. The loop's description says it for the loop's own events.
 */
export function additionsOf(fact: Fact, loop: LoopDefinition | null): Additions {
  switch (fact.type) {
    case 'decision.made': {
      const { findings = [], sink, reason } = fact.payload;
      return { findings, ...(sink && answersByReason(loop) ? { answer: reason } : {}) };
    }
    case 'summary.written':
      return { phase: 'summary' };
    case 'timer.fired':
    case 'effect.interrupted':
      return { phase: 'failures' };
    case 'child.settled':
      // The result of a call is input of a model, not an answer of the run.
      return fact.payload.callId === undefined && !answersByReason(loop) ? { answer: fact.payload.answer } : {};
    default:
      return (isShared(fact) ? null : loop?.describe.adds?.(fact)) ?? {};
  }
}

const answersByReason = (loop: LoopDefinition | null): boolean => loop?.describe.answer === 'reason';

/** The spend that a fact records for its own run, null for none. Children record their own. */
export function spentBy(fact: Fact, loop: LoopDefinition | null): Spend | null {
  const usage = usageOf(fact);
  const ofLoop = loop?.spend?.(fact) ?? {};
  if (!usage && Object.keys(ofLoop).length === 0) return null;
  const spend = { ...NO_SPEND, ...ofLoop };
  return usage ? addUsage(spend, usage) : spend;
}

/** The definition of a machine. Null where it is not among `loops`: then the loop's own events cannot be described. */
export const knownLoop = (machine: string, loops: readonly LoopDefinition[]): LoopDefinition | null =>
  loops.find(({ id }) => id === machine) ?? null;

/**
 * Tracks the loop of the run that is being read. Runs are read one after another, each from its first fact.
 *
 * @example
 * const inView = new LoopInView(loops);
 * for await (const envelope of log.read(run)) {
 *   const fact = factOf(envelope);
 *   console.log(timelineEntry(fact, inView.observe(fact)).text);
 * }
 */
export class LoopInView {
  readonly #loops: readonly LoopDefinition[];
  #loop: LoopDefinition | null = null;

  constructor(loops: readonly LoopDefinition[]) {
    this.#loops = loops;
  }

  /** The loop that a fact belongs to. */
  observe(fact: Fact): LoopDefinition | null {
    const machine = machineIn(fact);
    if (machine !== null) this.#loop = knownLoop(machine, this.#loops);
    return this.#loop;
  }
}

/** The machine that folds a run from this fact on. Null where the fact does not name one. */
function machineIn({ type, payload }: LoopEvent): string | null {
  if (type === 'run.started') return payload.machine;
  return type === 'run.migrated' ? payload.to : null;
}
