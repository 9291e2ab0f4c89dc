import { z } from 'zod';
import type { Finding } from '../../machines/outcome.ts';
import { type CallStreak, lengthened, NO_STREAK } from './call-streak.ts';
import { answerByAnswer, type AskedStep } from './answer-by-answer.ts';
import type { Detector } from './detector.ts';
import { withEvidence } from './evidence-ids.ts';
import { detectorKind } from './detector-kind.ts';
import { newestLast, shortDigest } from './newest-last.ts';
import { threshold } from './thresholds.ts';
import { noTraits, type TraitsOf } from './traits.ts';

/** How many different calls of a turn are remembered. */
const MAX_REMEMBERED = 200;

interface Remembered {
  readonly signature: string;
  readonly count: number;
  readonly evidence: readonly string[];
}

export interface SameTool {
  /** Calls in a row of one tool, with any arguments. */
  readonly streak: CallStreak;
  /** The different calls of the turn, in the order of their latest use. */
  readonly remembered: readonly Remembered[];
}

const CONFIG = z.strictObject({
  /** Calls of one tool in a row. */
  nudge: threshold(2, 'calls').default(8),
  /** Identical calls anywhere in the turn. */
  stop: threshold(2, 'calls').default(6),
});
type Config = z.output<typeof CONFIG>;

const FRESH: SameTool = { streak: NO_STREAK, remembered: [] };

/** D2c: one tool many times in a row, of which the model is told once; or the same call many times in one turn. */
export function sameTool(config: Config = CONFIG.parse({}), traits: TraitsOf = noTraits): Detector<SameTool> {
  return answerByAnswer('same-tool', FRESH, traits, (before, step) => {
    if (!step) return { state: { ...before, streak: NO_STREAK }, findings: [] };
    const { signatures, tool, id } = step;
    const remembered = signatures.reduce(
      (kept, signature) => withCall(kept, shortDigest(signature), id, config.stop),
      before.remembered,
    );
    const state = { streak: lengthened(before.streak, tool, id, config.nudge), remembered };
    return { state, findings: findingsIn(state, step, config) };
  });
}

function withCall(
  remembered: readonly Remembered[],
  signature: string,
  id: string,
  keep: number,
): readonly Remembered[] {
  const earlier = remembered.findIndex((one) => one.signature === signature);
  const { count, evidence } = remembered[earlier] ?? { count: 0, evidence: [] };
  const made = { signature, count: count + 1, evidence: withEvidence(evidence, id, keep) };
  return newestLast(remembered, earlier, made, MAX_REMEMBERED);
}

function findingsIn({ streak, remembered }: SameTool, step: AskedStep, { nudge, stop }: Config): Finding[] {
  const { tool, signatures } = step;
  const findings: Finding[] = [];
  if (nudge > 0 && streak.count === nudge) {
    const message = `${nudge} calls of ${tool} in a row`;
    findings.push({ detector: 'same-tool', level: 'nudge', count: nudge, message, evidence: [...streak.evidence] });
  }
  const newest = remembered.slice(-signatures.length).reduce<Remembered | undefined>(most, undefined);
  if (newest && stop > 0 && newest.count >= stop) {
    const message = `the same call ${newest.count} times in one turn: ${tool}`;
    findings.push({
      detector: 'same-tool',
      level: 'stop',
      count: newest.count,
      message,
      evidence: [...newest.evidence],
    });
  }
  return findings;
}

const most = (one: Remembered | undefined, other: Remembered): Remembered =>
  one && one.count > other.count ? one : other;

export const sameToolKind = detectorKind({
  name: 'same-tool',
  row: 'D2c',
  notices: 'one tool and no other is called, with any arguments; or one call is made too often in a turn',
  config: CONFIG,
  countsCalls: true,
  create: (config, traits) => sameTool(config, traits),
});
