import { z } from 'zod';
import { whole } from '../strategies/numbers.ts';
import type { Detector, Noticed } from './detector.ts';
import { withEvidence } from './evidence-ids.ts';
import { detectorKind } from './detector-kind.ts';
import { type Awaiting, NOTHING_AWAITED, paired } from './observed.ts';
import type { Observed } from './observed-call.ts';
import { noTraits, type TraitsOf } from './traits.ts';
import { isFreshStart } from './fresh-start.ts';

/** How the last calls alternate. */
interface Alternation {
  /** The last two calls, each with its result as one key. */
  readonly lastTwo: readonly { readonly tool: string; readonly key: string }[];
  /** Calls in a row that equal the call two places earlier, results included. */
  readonly matches: number;
  readonly evidence: readonly string[];
}

export interface Alternating {
  readonly awaiting: Awaiting;
  readonly alternation: Alternation;
}

const CONFIG = z.strictObject({ calls: whole(4, 'calls').default(6) });
type Config = z.output<typeof CONFIG>;

const NONE: Alternation = { lastTwo: [], matches: 0, evidence: [] };

/**
 * D1d: two calls in turn, with the same results each time; the calls of one answer are one of the two. Tools that poll
 * are left to `no-progress`.
 */
export function alternating({ calls }: Config = CONFIG.parse({}), traits: TraitsOf = noTraits): Detector<Alternating> {
  return {
    name: 'alternating',
    init: () => ({ awaiting: NOTHING_AWAITED, alternation: NONE }),
    step: (before, event): Noticed<Alternating> => {
      if (isFreshStart(event)) return { state: { ...before, alternation: NONE } };
      const { awaiting, step } = paired(before.awaiting, event, traits);
      if (!step) return { state: awaiting === before.awaiting ? before : { ...before, awaiting } };
      const alternation = step.isPolling ? NONE : lengthened(before.alternation, step, calls);
      const { lastTwo, matches, evidence } = alternation;
      const state = { awaiting, alternation };
      const count = matches + 2;
      if (count < calls) return { state };
      const tools = lastTwo.map(({ tool }) => tool).join(', ');
      const message = `the last ${count} calls only repeat the ones two before, with the same results: ${tools}`;
      return { state, finding: { detector: 'alternating', level: 'stop', count, message, evidence: [...evidence] } };
    },
  };
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
