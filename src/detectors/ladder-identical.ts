import { z } from 'zod';
import type { Finding } from '../../machines/outcome.ts';
import { answerByAnswer } from './answer-by-answer.ts';
import { type CallStreak, lengthened, NO_STREAK } from './call-streak.ts';
import type { Detector } from './detector.ts';
import { detectorKind } from './detector-kind.ts';
import { threshold } from './thresholds.ts';
import { noTraits, type TraitsOf } from './traits.ts';

const CONFIG = z.strictObject({
  /** Identical calls in a row that may run. The next one is refused. */
  allowed: threshold(1, 'calls').default(3),
});
type Config = z.output<typeof CONFIG>;

/** D4: after `allowed` answers with the same calls in a row the next one is refused, and the count begins anew. */
export function ladderIdentical(
  { allowed }: Config = CONFIG.parse({}),
  traits: TraitsOf = noTraits,
): Detector<CallStreak> {
  return answerByAnswer('ladder-identical', NO_STREAK, traits, (before, step) => {
    if (!step || allowed === 0) return { state: NO_STREAK, findings: [] };
    const state = lengthened(before, step.signature, step.id, allowed + 1);
    if (state.count <= allowed) return { state, findings: [] };
    const count = allowed + 1;
    const finding: Finding = {
      detector: 'ladder-identical',
      level: 'block',
      count,
      message: `the same call ${count} times in a row: ${step.tool}`,
      evidence: [...state.evidence],
      calls: step.calls.map(({ callId }) => callId),
    };
    return { state: NO_STREAK, findings: [finding] };
  });
}

export const ladderIdenticalKind = detectorKind({
  name: 'ladder-identical',
  row: 'D4',
  notices: 'more than `allowed` equal calls in a row',
  config: CONFIG,
  countsCalls: true,
  create: (config, traits) => ladderIdentical(config, traits),
});
