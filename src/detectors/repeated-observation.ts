import { z } from 'zod';
import { whole, wholeWithin } from '../strategies/numbers.ts';
import { type CallStreak, lengthened, NO_STREAK } from './call-streak.ts';
import type { Detector, Noticed } from './detector.ts';
import { detectorKind } from './detector-kind.ts';
import { type Awaiting, NOTHING_AWAITED, paired } from './observed.ts';
import type { Observed } from './observed-call.ts';
import { noTraits, type TraitsOf } from './traits.ts';
import { isFreshStart } from './fresh-start.ts';

export interface RepeatedObservation {
  readonly awaiting: Awaiting;
  /** Equal calls with equal results in a row. */
  readonly streak: CallStreak;
}

/** Each call is two events of the window: the call and its result. */
const EVENTS_OF_A_PAIR = 2;

const CONFIG = z
  .strictObject({
    /** Calls and results since the last user message that are looked at. */
    window: wholeWithin(4, 100, 'events').default(20),
    threshold: whole(2, 'calls').default(4),
  })
  .superRefine(({ window, threshold }, context) => {
    if (threshold * EVENTS_OF_A_PAIR <= window) return;
    const most = Math.floor(window / EVENTS_OF_A_PAIR);
    const message = `at most ${most} calls: with their results, more do not fit into the window (${window} events)`;
    context.addIssue({ code: 'custom', path: ['threshold'], message });
  });

const FRESH: RepeatedObservation = { awaiting: NOTHING_AWAITED, streak: NO_STREAK };

/**
 * D1a: the last calls are equal, and so are their results. A call whose result changed is progress; tools that poll are
 * left to `no-progress`.
 */
export function repeatedObservation(
  { threshold }: z.output<typeof CONFIG> = CONFIG.parse({}),
  traits: TraitsOf = noTraits,
): Detector<RepeatedObservation> {
  const seen = (streak: CallStreak, { action, result, evidence: [, answered] }: Observed) =>
    lengthened(streak, `${action} ${result}`, answered, threshold);
  return {
    name: 'repeated-observation',
    init: () => FRESH,
    step: (before, event): Noticed<RepeatedObservation> => {
      if (isFreshStart(event)) return { state: { ...before, streak: NO_STREAK } };
      const { awaiting, step } = paired(before.awaiting, event, traits);
      if (!step) return { state: awaiting === before.awaiting ? before : { ...before, awaiting } };
      const streak = step.isPolling ? NO_STREAK : seen(before.streak, step);
      const { count, evidence } = streak;
      const state = { awaiting, streak };
      if (count < threshold) return { state };
      const message = `the same call with the same result ${count} times: ${step.tool}`;
      return {
        state,
        finding: { detector: 'repeated-observation', level: 'stop', count, message, evidence: [...evidence] },
      };
    },
  };
}

export const repeatedObservationKind = detectorKind({
  name: 'repeated-observation',
  row: 'D1a',
  notices: 'the last calls are the same, and so are their results',
  config: CONFIG,
  countsCalls: true,
  create: (config, traits) => repeatedObservation(config, traits),
});
