import type { EventOf } from '../../../machines/events.ts';
import { basedOn } from '../../evidence/base-tests.ts';
import { knownFlickering } from '../../evidence/flicker-tests.ts';
import { type FindingsOf, lostOnHead } from './evaluation/head-losses.ts';

type Baseline = EventOf<'baseline.taken'>['payload'];

const HELD_OUT = 'held-out';

/**
 * What checks say on a new tree that they do not say on the head, by the rule of an evaluation: keys that are equal for
 * the same loss in two runs, with a text for each. Tests that flicker on either tree are no loss.
 *
 * @example
 * lossesOf(memory.baseline, taken, findingsOf).size === 0; // nothing is worse
 */
export function lossesOf(head: Baseline, now: Baseline, findingsOf: FindingsOf): ReadonlyMap<string, string> {
  const losses = lostOnHead({
    head: { levels: head.levels, tests: basedOn(head.tests) },
    candidate: { levels: now.levels, tests: basedOn(now.tests) },
    flickering: [...knownFlickering(head), ...knownFlickering(now)],
    findingsOf,
  });
  const isWorseHeldOut = (now.heldOut?.failed ?? 0) > (head.heldOut?.failed ?? Infinity);
  return new Map([
    ...losses.map(({ key, text }) => [key, text] as const),
    ...(isWorseHeldOut ? [[HELD_OUT, 'more of the held-out checks fail'] as const] : []),
  ]);
}
