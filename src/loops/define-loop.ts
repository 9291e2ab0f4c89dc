import type { AnyEvent } from '../../machines/events.ts';
import { lint } from '../testing/lint/lint.ts';
import { LoopRuleError } from '../testing/lint/loop-rule-error.ts';
import type { Loop } from '../testing/loop.ts';
import { chartDigest } from './chart-digest.ts';
import { completed } from './complete-definition.ts';
import type { WrittenLoop } from './attempt-loop.ts';

/**
 * Makes a loop from a machine, ready to be hosted and proven. Throws a `LoopRuleError` with every rule that it breaks,
 * where, and what to do about it.
 *
 * Members that are left out default to those of a loop of attempts: rounds that begin with `iteration.started`,
 * attempts that are turns, a judge that requires passed checks. Effects of its own need a description: the class, the
 * events that answer, and the event that records an interruption.
 *
 * @example
 * const loop = defineLoop({
 *   machine: reviewed,
 *   events: ReviewedEvent,
 *   effects: {
 *     askReviewer: {
 *       class: 'once',
 *       answers: { 'review.given': 'review', 'review.interrupted': 'review' },
 *       interrupted: (_, { reason }) => ({ type: 'review.interrupted', payload: { reason } }),
 *     },
 *   },
 *   handlers: { askReviewer: async () => ({ type: 'review.given', payload: { approved: true, remark: 'Good.' } }) },
 * });
 */
export function defineLoop<Event extends AnyEvent>(written: WrittenLoop<Event>): Loop<Event> {
  const loop = completed({ ...written });
  const offences = lint(loop);
  if (offences.length > 0) throw new LoopRuleError(loop.id, offences);
  return { ...loop, module: { path: null, digest: chartDigest(loop.machine) } };
}
