import { z } from 'zod';
import { type CallStreak, lengthened, NO_STREAK } from './call-streak.ts';
import type { Detector } from './detector.ts';
import { detectorKind } from './detector-kind.ts';
import { type Awaited, stepByStep } from './step-by-step.ts';
import type { Observed } from './observation.ts';
import { begunAnew, noticedAt } from './notice.ts';
import { withRefusal } from './refusal.ts';
import { risingRungs, rungAt, rungsOf } from './rungs.ts';
import { noTraits, type TraitsOf } from './traits.ts';

const CONFIG = z.strictObject(rungsOf('calls', { nudge: 3, stop: 4 })).superRefine(risingRungs);
type Config = z.output<typeof CONFIG>;

/**
 * D1b: the same call fails again and again, with any error. A refused call has failed too. The model is told once in a
 * streak.
 */
export function repeatedError(
  config: Config = CONFIG.parse({}),
  traits: TraitsOf = noTraits,
): Detector<Awaited<CallStreak>> {
  const keep = Math.max(config.nudge, config.stop);
  return stepByStep('repeated-error', NO_STREAK, traits, (before, { observed, step }) => {
    const [, answered] = step.evidence;
    const streak = step.failed ? lengthened(before, step.action, answered, keep) : NO_STREAK;
    return { state: streak, ...noticedIn(streak, before, observed, config) };
  });
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
