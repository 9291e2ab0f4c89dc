import { z } from 'zod';
import type { Detector, Noticed } from './detector.ts';
import { detectorKind } from './detector-kind.ts';
import { withEvidence } from './evidence-ids.ts';
import { newestLast, shortDigest } from './newest-last.ts';
import { type Awaited, type SeenStep, stepByStep } from './step-by-step.ts';
import type { Observed } from './observation.ts';
import { begunAnew, noticedAt } from './notice.ts';
import { risingRungs, rungAt, rungsOf } from './rungs.ts';
import { withRefusal } from './refusal.ts';
import { noTraits, type TraitsOf } from './traits.ts';

export interface FailingCalls {
  readonly row: Row;
  /** What the newest calls that worked have brought: to see it again is no way out. */
  readonly known: readonly string[];
}

/** Steps in a row that failed. */
interface Row {
  readonly calls: number;
  /** The same, where some count twice. */
  readonly count: number;
  readonly evidence: readonly string[];
}

const CONFIG = z.strictObject(rungsOf('steps', { nudge: 6, stop: 12 })).superRefine(risingRungs);
type Config = z.output<typeof CONFIG>;

const MAX_KNOWN = 30;
const NONE: Row = { calls: 0, count: 0, evidence: [] };
/** A model that invents a tool is farther off than one whose command fails. */
const OF_UNKNOWN_TOOL = 2;

/**
 * D13: calls fail one after the other, whatever their tools and arguments; those of one answer count once. A command
 * that ended with a status other than 0 has failed, except for the answers of `grep` and the like. A call of a tool
 * that does not exist counts twice; calls that poll, such as "is the server up?", do not count and end no row. A call
 * that works ends the row, unless it only brings again what it has brought before, as reading a file again before the
 * next edit that fails.
 */
export function failingCalls(
  config: Config = CONFIG.parse({}),
  traits: TraitsOf = noTraits,
): Detector<Awaited<FailingCalls>> {
  const keep = Math.max(config.nudge, config.stop);
  const start: FailingCalls = { row: NONE, known: [] };
  const anew = ({ known }: FailingCalls): FailingCalls => ({ row: NONE, known });
  const afterStep = (before: FailingCalls, { step }: SeenStep): Noticed<FailingCalls> => {
    const brought = broughtBy(step);
    const earlier = before.known.indexOf(brought);
    const isDone = step.end === 'done';
    const row = isDone && earlier >= 0 ? before.row : lengthened(before.row, step, keep);
    const known = isDone ? newestLast(before.known, earlier, brought, MAX_KNOWN) : before.known;
    return { state: { row, known }, ...noticedIn(row, before.row, step, config) };
  };
  return stepByStep('failing-calls', start, traits, afterStep, anew);
}

/** A call with its result, as short as it takes to know it again. */
const broughtBy = ({ action, result }: Observed): string => [action, result].map(shortDigest).join('');

function lengthened(row: Row, { end, isPolling, evidence: [, answered] }: Observed, keep: number): Row {
  if (isPolling) return row;
  if (end === 'done') return NONE;
  const weight = end === 'unknown' ? OF_UNKNOWN_TOOL : 1;
  const evidence = withEvidence(row.evidence, answered, keep);
  return { calls: row.calls + 1, count: row.count + weight, evidence };
}

function noticedIn({ calls, count, evidence }: Row, before: Row, { tool, end }: Observed, config: Config) {
  const rung = rungAt(count, before.count, config);
  if (rung === null) return begunAnew(count, before.count);
  const newest = end === 'unknown' ? `there is no tool ${tool}` : `the newest of ${tool}`;
  const message = `${calls} steps in a row have failed, ${newest}`;
  return noticedAt(rung, { detector: 'failing-calls', count, message, evidence }, { tools: tool.split(', ') });
}

export const failingCallsKind = detectorKind({
  name: 'failing-calls',
  row: 'D13',
  notices: 'calls fail one after the other, whatever they are; one of a tool that does not exist counts twice',
  config: CONFIG,
  inDefault: true,
  countsCalls: true,
  climbs: true,
  create: (config, traits) => withRefusal(failingCalls(config, traits), traits),
});
