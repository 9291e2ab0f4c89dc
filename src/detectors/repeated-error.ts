import { z } from 'zod';
import { type CallStreak, lengthened, NO_STREAK } from './call-streak.ts';
import type { Detector, Noticed } from './detector.ts';
import { detectorKind } from './detector-kind.ts';
import { type Awaiting, NOTHING_AWAITED, paired } from './observed.ts';
import type { Observed } from './observed-call.ts';
import { begunAnew, noticedAt } from './notice.ts';
import { withRefusal } from './refusal.ts';
import { risingRungs, rungAt, rungsOf } from './rungs.ts';
import { noTraits, type TraitsOf } from './traits.ts';
import { isFreshStart } from './fresh-start.ts';

export interface RepeatedError {
  readonly awaiting: Awaiting;
  /** Equal calls in a row that all failed. */
  readonly streak: CallStreak;
}

const CONFIG = z.strictObject(rungsOf('calls', { nudge: 3, stop: 4 })).superRefine(risingRungs);
type Config = z.output<typeof CONFIG>;

/**
 * D1b: the same call fails again and again, with any error. A refused call has failed too. The model is told once in a
 * streak.
 */
export function repeatedError(config: Config = CONFIG.parse({}), traits: TraitsOf = noTraits): Detector<RepeatedError> {
  const keep = Math.max(config.nudge, config.stop);
  return {
    name: 'repeated-error',
    init: () => ({ awaiting: NOTHING_AWAITED, streak: NO_STREAK }),
    step: (before, event): Noticed<RepeatedError> => {
      if (isFreshStart(event)) return { state: { ...before, streak: NO_STREAK } };
      const { awaiting, observed, step } = paired(before.awaiting, event, traits);
      if (!step) return { state: awaiting === before.awaiting ? before : { ...before, awaiting } };
      const [, answered] = step.evidence;
      const streak = step.failed ? lengthened(before.streak, step.action, answered, keep) : NO_STREAK;
      return { state: { awaiting, streak }, ...noticedIn(streak, before.streak, observed, config) };
    },
  };
}

function noticedIn(streak: CallStreak, before: CallStreak, observed: readonly Observed[], config: Config) {
  const { count, evidence } = streak;
  const rung = rungAt(count, streak.signature === before.signature ? before.count : 0, config);
  if (rung === null) return begunAnew(count, before.count);
  const tools = new Set(observed.map(({ tool }) => tool));
  const message = `the same call has failed ${count} times in a row: ${[...tools].join(', ')}`;
  return noticedAt(
    rung,
    { detector: 'repeated-error', count, message, evidence },
    { actions: observed.map(({ action }) => action) },
  );
}

export const repeatedErrorKind = detectorKind({
  name: 'repeated-error',
  row: 'D1b',
  notices: 'the same call fails again and again, with any error',
  config: CONFIG,
  // The model is told before it has tried the same call three times.
  inDefault: { nudge: 2, stop: 4 },
  countsCalls: true,
  climbs: true,
  create: (config, traits) => withRefusal(repeatedError(config, traits), traits),
});
