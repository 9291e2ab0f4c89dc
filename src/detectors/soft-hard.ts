import { z } from 'zod';
import type { Finding } from '../../machines/outcome.ts';
import { type CallStreak, lengthened, NO_STREAK } from './call-streak.ts';
import { answerByAnswer, type AskedStep } from './answer-by-answer.ts';
import type { Detector } from './detector.ts';
import { detectorKind } from './detector-kind.ts';
import { nudgeOrStop, rising, threshold } from './thresholds.ts';
import { noTraits, type TraitsOf } from './traits.ts';

const CONFIG = z
  .strictObject({ nudge: threshold(2, 'calls').default(3), stop: threshold(2, 'calls').default(5) })
  .superRefine(rising('nudge', 'stop'));
type Config = z.output<typeof CONFIG>;

/** D5: identical calls in a row. The model is told once in a streak, then the run is stopped. */
export function softHard(config: Config = CONFIG.parse({}), traits: TraitsOf = noTraits): Detector<CallStreak> {
  const keep = Math.max(config.nudge, config.stop);
  return answerByAnswer('soft-hard', NO_STREAK, traits, (before, step) => {
    if (!step) return { state: NO_STREAK, findings: [] };
    const state = lengthened(before, step.signature, step.id, keep);
    return { state, findings: findingsOf(state, step, config) };
  });
}

function findingsOf({ count, evidence }: CallStreak, { tool }: AskedStep, config: Config): Finding[] {
  const level = nudgeOrStop(count, config);
  if (level === null) return [];
  const message = `the same call ${count} times in a row: ${tool}`;
  return [{ detector: 'soft-hard', level, count, message, evidence: [...evidence] }];
}

export const softHardKind = detectorKind({
  name: 'soft-hard',
  row: 'D5',
  notices: 'the same call in a row: first a nudge, then a stop',
  config: CONFIG,
  countsCalls: true,
  create: (config, traits) => softHard(config, traits),
});
