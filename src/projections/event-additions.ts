import { isShared } from '../../machines/events.ts';
import { addUsage, usageOf } from '../../machines/life.ts';
import { NO_SPEND, type Spend } from '../../machines/outcome.ts';
import type { Fact } from '../kernel/effect-handlers.ts';
import type { LoopDefinition } from '../kernel/loop-definition.ts';
import type { Additions } from '../kernel/loop-description.ts';

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
