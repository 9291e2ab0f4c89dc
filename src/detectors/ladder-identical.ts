import { z } from 'zod';
import type { ToolCall } from '../../machines/events.ts';
import type { Finding } from '../../machines/outcome.ts';
import { type CallStreak, lengthened, NO_STREAK } from './call-streak.ts';
import { type Detector, eventId, type Noticed } from './detector.ts';
import { detectorKind } from './detector-kind.ts';
import { repetitionOf } from './signature.ts';
import { threshold } from './thresholds.ts';
import { noTraits, type TraitsOf } from './traits.ts';
import { isFreshStart } from './fresh-start.ts';

const CONFIG = z.strictObject({
  /** Identical calls in a row that may run. The next one is refused. */
  allowed: threshold(1, 'calls').default(3),
});
type Config = z.output<typeof CONFIG>;

/** D4: after `allowed` identical calls in a row the next one is refused, and the count begins anew. */
export function ladderIdentical(
  { allowed }: Config = CONFIG.parse({}),
  traits: TraitsOf = noTraits,
): Detector<CallStreak> {
  return {
    name: 'ladder-identical',
    init: () => NO_STREAK,
    step: (before, event): Noticed<CallStreak> => {
      if (isFreshStart(event)) return { state: NO_STREAK };
      if (event.type !== 'model.completed' || allowed === 0) return { state: before };
      const id = eventId(event);
      let state = before;
      let evidence: readonly string[] = [];
      const refused: ToolCall[] = [];
      for (const call of event.payload.calls) {
        state = lengthened(state, repetitionOf(call, traits(call.tool)), id, allowed + 1);
        if (state.count <= allowed) continue;
        refused.push(call);
        ({ evidence } = state);
        state = NO_STREAK;
      }
      const [first] = refused;
      if (!first) return { state };
      const count = allowed + 1;
      const message = `the same call ${count} times in a row: ${first.tool}`;
      const calls = refused.map(({ callId }) => callId);
      const finding: Finding = {
        detector: 'ladder-identical',
        level: 'block',
        count,
        message,
        evidence: [...evidence],
        calls,
      };
      return { state, finding };
    },
  };
}

export const ladderIdenticalKind = detectorKind({
  name: 'ladder-identical',
  row: 'D4',
  notices: 'more than `allowed` equal calls in a row',
  config: CONFIG,
  countsCalls: true,
  create: (config, traits) => ladderIdentical(config, traits),
});
