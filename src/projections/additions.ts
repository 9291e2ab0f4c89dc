import { isShared } from '../../machines/events.ts';
import { addUsage, usageOf } from '../../machines/life.ts';
import { addSpend, NO_SPEND, type Spend } from '../../machines/outcome.ts';
import type { Fact } from '../runtime/cast.ts';
import type { LoopDefinition } from '../runtime/loop-definition.ts';
import type { Additions } from '../runtime/loop-description.ts';

/** What a fact adds to the page and the account of its run: its loop says it of its own events. */
export function additionsOf(fact: Fact, loop: LoopDefinition | null): Additions {
  switch (fact.type) {
    case 'decision.made':
      return { findings: fact.payload.findings ?? [] };
    case 'summary.written':
      return { phase: 'summary' };
    case 'timer.fired':
    case 'effect.interrupted':
      return { phase: 'failures' };
    case 'child.settled':
      // What comes back to a call is what a model heard, not what it says.
      return fact.payload.callId === undefined ? { answer: fact.payload.answer } : {};
    default:
      return (isShared(fact) ? null : loop?.describe.adds?.(fact)) ?? {};
  }
}

/** What a run has used by a fact. What its children have used, they have recorded themselves. */
export function spentBy(fact: Fact, loop: LoopDefinition | null): Spend {
  const usage = usageOf(fact);
  const spend = addSpend(NO_SPEND, { ...NO_SPEND, ...loop?.spend?.(fact) });
  return usage ? addUsage(spend, usage) : spend;
}
