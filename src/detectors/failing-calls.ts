import { z } from 'zod';
import type { Finding } from '../../machines/outcome.ts';
import type { Detector, Noticed } from './detector.ts';
import { detectorKind } from './detector-kind.ts';
import { withEvidence } from './evidence-ids.ts';
import { isFreshStart } from './fresh-start.ts';
import { type Awaiting, NOTHING_AWAITED, type Observed, paired } from './observed.ts';
import { strongest } from './strongest.ts';
import { rising, threshold } from './thresholds.ts';
import { noTraits, type TraitsOf } from './traits.ts';

export interface FailingCalls {
  readonly awaiting: Awaiting;
  readonly row: Row;
  /** What the newest calls that worked have brought: to see it again is no way out. */
  readonly known: readonly string[];
}

/** Calls in a row that failed. */
interface Row {
  readonly calls: number;
  /** The same, where some count twice. */
  readonly count: number;
  readonly evidence: readonly string[];
}

const CONFIG = z
  .strictObject({ nudge: threshold(2, 'calls').default(6), stop: threshold(2, 'calls').default(12) })
  .superRefine(rising('nudge', 'stop'));
type Config = z.output<typeof CONFIG>;

const MAX_KNOWN = 30;
const DIGEST_CHARS = 12;
const NONE: Row = { calls: 0, count: 0, evidence: [] };
/** A model that invents a tool is farther off than one whose command fails. */
const OF_UNKNOWN_TOOL = 2;

/**
 * D13: calls fail one after the other, whatever their tools and arguments. A command that ended with a status other
 * than 0 has failed, except for the answers of `grep` and the like. A call of a tool that does not exist counts twice;
 * calls that poll, such as "is the server up?", do not count and end no row. A call that works ends the row, unless it
 * only brings again what it has brought before, as reading a file again before the next edit that fails.
 */
export function failingCalls(config: Config = CONFIG.parse({}), traits: TraitsOf = noTraits): Detector<FailingCalls> {
  const keep = Math.max(config.nudge, config.stop);
  return {
    name: 'failing-calls',
    init: () => ({ awaiting: NOTHING_AWAITED, row: NONE, known: [] }),
    step: (before, event): Noticed<FailingCalls> => {
      if (isFreshStart(event)) return { state: { ...before, row: NONE } };
      const { awaiting, observed } = paired(before.awaiting, event, traits);
      let { row, known } = before;
      const findings = observed.flatMap((call) => {
        const last = row.count;
        if (call.end !== 'done' || !known.includes(broughtBy(call))) row = lengthened(row, call, keep);
        if (call.end === 'done') known = remembering(known, broughtBy(call));
        return findingsOf(row, last, call, config);
      });
      return { state: { awaiting, row, known }, ...strongest(findings) };
    },
  };
}

/** A call with its result, as short as it takes to know it again. */
const broughtBy = ({ action, result }: Observed): string =>
  `${action.slice(0, DIGEST_CHARS)}${result.slice(0, DIGEST_CHARS)}`;
const remembering = (known: readonly string[], brought: string): readonly string[] =>
  [...known.filter((one) => one !== brought), brought].slice(-MAX_KNOWN);

function lengthened(row: Row, { end, isPolling, evidence: [, answered] }: Observed, keep: number): Row {
  if (isPolling) return row;
  if (end === 'done') return NONE;
  const weight = end === 'unknown' ? OF_UNKNOWN_TOOL : 1;
  const evidence = withEvidence(row.evidence, answered, keep);
  return { calls: row.calls + 1, count: row.count + weight, evidence };
}

function findingsOf({ calls, count, evidence }: Row, last: number, { tool, end }: Observed, config: Config): Finding[] {
  const level = levelAt(count, last, config);
  if (level === null) return [];
  const newest = end === 'unknown' ? `there is no tool ${tool}` : `the newest of ${tool}`;
  const message = `${calls} calls in a row have failed, ${newest}`;
  return [{ detector: 'failing-calls', level, count, message, evidence: [...evidence] }];
}

/** A call that counts twice may pass a threshold without meeting it. */
function levelAt(count: number, last: number, { nudge, stop }: Config): 'nudge' | 'stop' | null {
  if (stop > 0 && count > last && count >= stop) return 'stop';
  return nudge > 0 && last < nudge && count >= nudge ? 'nudge' : null;
}

export const failingCallsKind = detectorKind({
  name: 'failing-calls',
  row: 'D13',
  notices: 'calls fail one after the other, whatever they are; one of a tool that does not exist counts twice',
  config: CONFIG,
  inDefault: true,
  countsCalls: true,
  create: (config, traits) => failingCalls(config, traits),
});
