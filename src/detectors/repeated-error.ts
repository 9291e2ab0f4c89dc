import { z } from 'zod';
import type { Finding } from '../../machines/outcome.ts';
import { type CallStreak, lengthened, NO_STREAK } from './call-streak.ts';
import type { Detector, Noticed } from './detector.ts';
import { detectorKind } from './detector-kind.ts';
import { type Awaiting, NOTHING_AWAITED, type Observed, paired } from './observed.ts';
import { strongest } from './strongest.ts';
import { nudgeOrStop, rising, threshold } from './thresholds.ts';
import { noTraits, type TraitsOf } from './traits.ts';
import { isFreshStart } from './fresh-start.ts';

export interface RepeatedError {
  readonly awaiting: Awaiting;
  /** Equal calls in a row that all failed. */
  readonly streak: CallStreak;
}

const CONFIG = z
  .strictObject({ nudge: threshold(2, 'calls').default(3), stop: threshold(2, 'calls').default(4) })
  .superRefine(rising('nudge', 'stop'));
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
      const { awaiting, observed } = paired(before.awaiting, event, traits);
      let { streak } = before;
      const findings = observed.flatMap((pair) => {
        streak = pair.failed ? lengthened(streak, pair.action, pair.evidence[1], keep) : NO_STREAK;
        return findingsOf(streak, pair, config);
      });
      return { state: { awaiting, streak }, ...strongest(findings) };
    },
  };
}

function findingsOf({ count, evidence }: CallStreak, { tool }: Observed, config: Config): Finding[] {
  const level = nudgeOrStop(count, config);
  if (level === null) return [];
  const message = `the same call has failed ${count} times in a row: ${tool}`;
  return [{ detector: 'repeated-error', level, count, message, evidence: [...evidence] }];
}

export const repeatedErrorKind = detectorKind({
  name: 'repeated-error',
  row: 'D1b',
  notices: 'the same call fails again and again, with any error',
  config: CONFIG,
  // The model is told before it has tried the same call three times.
  inDefault: { nudge: 2, stop: 4 },
  countsCalls: true,
  create: (config, traits) => repeatedError(config, traits),
});
