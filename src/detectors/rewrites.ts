import { z } from 'zod';
import type { Detector } from './detector.ts';
import { detectorKind } from './detector-kind.ts';
import { withEvidence } from './evidence-ids.ts';
import { type Awaited, stepByStep } from './step-by-step.ts';
import type { Observed } from './observation.ts';
import { begunAnew, noticedAt } from './notice.ts';
import { withRefusal } from './refusal.ts';
import { risingRungs, rungAt, rungsOf } from './rungs.ts';
import { noTraits, type TraitsOf } from './traits.ts';

/** Calls in a row that replace one thing. */
interface Row {
  readonly what: string;
  /** The newest of them. */
  readonly action: string;
  /** The most items that one of them has ticked off. */
  readonly ticked: number;
  readonly count: number;
  readonly evidence: readonly string[];
}

const CONFIG = z.strictObject(rungsOf('calls', { nudge: 6, stop: 12 })).superRefine(risingRungs);
type Config = z.output<typeof CONFIG>;

const NONE: Row = { what: '', action: '', ticked: 0, count: 0, evidence: [] };

/**
 * D21: one thing is replaced again and again, as a list of tasks that is planned anew in other words, or a file that is
 * written whole, and nothing else is done between. Any other call ends the row, but for one that polls. A list with
 * more items ticked off than before begins it anew: its work may be in what the model says. The same call made twice
 * counts once, and one that failed has replaced nothing.
 */
export function rewrites(config: Config = CONFIG.parse({}), traits: TraitsOf = noTraits): Detector<Awaited<Row>> {
  const keep = Math.max(config.nudge, config.stop);
  return stepByStep('rewrites', NONE, traits, (before, { step }) => {
    const row = lengthened(before, step, keep);
    return { state: row, ...noticedIn(row, before, step, config) };
  });
}

function lengthened(row: Row, { replaces, action, isPolling, failed, evidence: [, answered] }: Observed, keep: number) {
  if (isPolling) return row;
  if (replaces === null) return NONE;
  const { what, ticked } = replaces;
  if (row.what !== what || ticked > row.ticked) return { what, action, ticked, count: 1, evidence: [answered] };
  if (failed || row.action === action) return row;
  return { ...row, action, count: row.count + 1, evidence: withEvidence(row.evidence, answered, keep) };
}

function noticedIn({ count, evidence }: Row, before: Row, { tool }: Observed, config: Config) {
  const rung = rungAt(count, before.count, config);
  if (rung === null) return begunAnew(count, before.count);
  const message = `${count} calls of ${tool} in a row have replaced what the one before wrote, and nothing was done`;
  return noticedAt(rung, { detector: 'rewrites', count, message, evidence }, { tools: [tool] });
}

export const rewritesKind = detectorKind({
  name: 'rewrites',
  row: 'D21',
  notices: 'a list of tasks or a file is written anew again and again, in other words, and nothing is done between',
  config: CONFIG,
  inDefault: true,
  climbs: true,
  create: (config, traits) => withRefusal(rewrites(config, traits), traits),
});
