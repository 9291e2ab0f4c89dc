import { z } from 'zod';
import { whole } from '../strategies/numbers.ts';
import type { Detector } from './detector.ts';
import { withEvidence } from './evidence-ids.ts';
import { detectorKind } from './detector-kind.ts';
import { type Awaited, stepByStep } from './step-by-step.ts';
import type { Observed } from './observation.ts';
import { noTraits, type TraitsOf } from './traits.ts';

/** How the last calls alternate. */
interface Alternation {
  /** The last two calls, each with its result as one key. */
  readonly lastTwo: readonly { readonly tool: string; readonly key: string }[];
  /** Calls in a row that equal the call two places earlier, results included. */
  readonly matches: number;
  readonly evidence: readonly string[];
}

const CONFIG = z.strictObject({ calls: whole(4, 'calls').default(6) });
type Config = z.output<typeof CONFIG>;

const NONE: Alternation = { lastTwo: [], matches: 0, evidence: [] };

/**
 * D1d: two calls in turn, with the same results each time; the calls of one answer are one of the two. Tools that poll
 * are left to `no-progress`.
 */
export function alternating(
  { calls }: Config = CONFIG.parse({}),
  traits: TraitsOf = noTraits,
): Detector<Awaited<Alternation>> {
  return stepByStep('alternating', NONE, traits, (before, { step }) => {
    const state = step.isPolling ? NONE : lengthened(before, step, calls);
    const { lastTwo, matches, evidence } = state;
    const count = matches + 2;
    if (count < calls) return { state };
    const tools = lastTwo.map(({ tool }) => tool).join(', ');
    const message = `the last ${count} calls only repeat the ones two before, with the same results: ${tools}`;
    return { state, finding: { detector: 'alternating', level: 'stop', count, message, evidence: [...evidence] } };
  });
}

function lengthened({ lastTwo, matches, evidence }: Alternation, pair: Observed, keep: number): Alternation {
  const {
    tool,
    action,
    result,
    evidence: [, answered],
  } = pair;
  const key = `${action} ${result}`;
  const [twoBefore] = lastTwo.length === 2 ? lastTwo : [];
  return {
    lastTwo: [...lastTwo, { tool, key }].slice(-2),
    matches: twoBefore?.key === key ? matches + 1 : 0,
    evidence: withEvidence(evidence, answered, keep),
  };
}

export const alternatingKind = detectorKind({
  name: 'alternating',
  row: 'D1d',
  notices: 'two calls take turns, with the same results each time',
  config: CONFIG,
  countsCalls: true,
  create: (config, traits) => alternating(config, traits),
});
