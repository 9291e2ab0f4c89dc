import { z } from 'zod';
import type { Finding } from '../../machines/outcome.ts';
import type { Detector, Noticed } from './detector.ts';
import { detectorKind } from './detector-kind.ts';
import { withEvidence } from './evidence-ids.ts';
import { isFreshStart } from './fresh-start.ts';
import { type Awaiting, NOTHING_AWAITED, type Observed, paired } from './observed.ts';
import { strongest } from './strongest.ts';
import { nudgeOrStop, rising, threshold } from './thresholds.ts';
import { noTraits, type TraitsOf } from './traits.ts';

export interface SameResult {
  readonly awaiting: Awaiting;
  readonly row: Row;
}

/** Calls of one tool in a row with one result. */
interface Row {
  readonly tool: string;
  readonly result: string;
  /** The newest of them. */
  readonly action: string;
  readonly count: number;
  readonly evidence: readonly string[];
}

const CONFIG = z
  .strictObject({ nudge: threshold(2, 'calls').default(8), stop: threshold(2, 'calls').default(16) })
  .superRefine(rising('nudge', 'stop'));
type Config = z.output<typeof CONFIG>;

/** Searches that find nothing are alike, whatever tool makes them. */
const NOTHING_FOUND = { tool: 'search', result: '' };
const NONE: Row = { tool: '', result: '', action: '', count: 0, evidence: [] };

/**
 * D14: one tool brings the same result again and again, though its arguments differ: searches that find nothing, the
 * same page under other addresses, a wait that is a little longer each time. Searches count together, whatever tool
 * makes them. Calls that write are exempt, because their results are alike by their nature, and end the row; calls that
 * poll neither count nor end it. The same call made twice counts once: `identical-calls` and `no-progress` watch that.
 */
export function sameResult(config: Config = CONFIG.parse({}), traits: TraitsOf = noTraits): Detector<SameResult> {
  const keep = Math.max(config.nudge, config.stop);
  return {
    name: 'same-result',
    init: () => ({ awaiting: NOTHING_AWAITED, row: NONE }),
    step: (before, event): Noticed<SameResult> => {
      if (isFreshStart(event)) return { state: { ...before, row: NONE } };
      const { awaiting, observed } = paired(before.awaiting, event, traits);
      let { row } = before;
      const findings = observed.flatMap((call) => {
        const last = row.count;
        row = lengthened(row, call, keep);
        return row.count > last ? findingsOf(row, config) : [];
      });
      return { state: { awaiting, row }, ...strongest(findings) };
    },
  };
}

function lengthened(row: Row, call: Observed, keep: number): Row {
  const { action, isPolling, isWriting, foundNothing } = call;
  if (isPolling) return row;
  if (isWriting) return NONE;
  const [, answered] = call.evidence;
  const { tool, result } = foundNothing ? NOTHING_FOUND : call;
  if (row.tool !== tool || row.result !== result) return { tool, result, action, count: 1, evidence: [answered] };
  if (row.action === action) return row;
  return { ...row, action, count: row.count + 1, evidence: withEvidence(row.evidence, answered, keep) };
}

function findingsOf({ tool, result, count, evidence }: Row, config: Config): Finding[] {
  const level = nudgeOrStop(count, config);
  if (level === null) return [];
  const searches = `${count} searches in a row, each for something else, have found nothing`;
  const calls = `${count} calls of ${tool} in a row, each with other arguments, brought the same result`;
  const message = result === NOTHING_FOUND.result ? searches : calls;
  return [{ detector: 'same-result', level, count, message, evidence: [...evidence] }];
}

export const sameResultKind = detectorKind({
  name: 'same-result',
  row: 'D14',
  notices: 'one tool brings the same result again and again, though its arguments differ',
  config: CONFIG,
  inDefault: true,
  create: (config, traits) => sameResult(config, traits),
});
