import { z } from 'zod';
import type { Finding } from '../../machines/outcome.ts';
import { whole, wholeWithin } from '../strategies/numbers.ts';
import { type CallStreak, lengthened, NO_STREAK } from './call-streak.ts';
import type { Detector } from './detector.ts';
import { detectorKind } from './detector-kind.ts';
import { type Awaited, stepByStep } from './step-by-step.ts';
import type { Observed } from './observation.ts';
import { noTraits, type TraitsOf } from './traits.ts';

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

/**
 * D1a: the last calls are equal, and so are their results. A call whose result changed is progress; tools that poll are
 * left to `no-progress`.
 */
export function repeatedObservation(
  { threshold }: z.output<typeof CONFIG> = CONFIG.parse({}),
  traits: TraitsOf = noTraits,
): Detector<Awaited<CallStreak>> {
  const seen = (streak: CallStreak, { action, result, evidence: [, answered] }: Observed) =>
    lengthened(streak, `${action} ${result}`, answered, threshold);
  return stepByStep('repeated-observation', NO_STREAK, traits, (before, { step }) => {
    const state = step.isPolling ? NO_STREAK : seen(before, step);
    const { count, evidence } = state;
    if (count < threshold) return { state };
    const message = `the same call with the same result ${count} times: ${step.tool}`;
    const finding: Finding = {
      detector: 'repeated-observation',
      level: 'stop',
      count,
      message,
      evidence: [...evidence],
    };
    return { state, finding };
  });
}

export const repeatedObservationKind = detectorKind({
  name: 'repeated-observation',
  row: 'D1a',
  notices: 'the last calls are the same, and so are their results',
  config: CONFIG,
  countsCalls: true,
  create: (config, traits) => repeatedObservation(config, traits),
});
