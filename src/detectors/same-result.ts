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

/** Calls of one tool in a row with one result. */
interface Row {
  readonly tool: string;
  readonly gist: string;
  readonly result: string;
  /** The newest of them. */
  readonly action: string;
  /** Words for the things that they were about. */
  readonly words: readonly string[];
  readonly count: number;
  readonly evidence: readonly string[];
}

const CONFIG = z.strictObject(rungsOf('calls', { nudge: 8, stop: 16 })).superRefine(risingRungs);
type Config = z.output<typeof CONFIG>;

/** Searches that find nothing are alike, whatever tool makes them. */
const NOTHING_FOUND = { tool: 'search', gist: '' };
const NONE: Row = { tool: '', gist: '', result: '', action: '', words: [], count: 0, evidence: [] };
const MAX_WORDS = 200;

/**
 * D14: one tool brings the same result again and again, though its arguments differ: the same error under other
 * addresses, one usage for every option, searches in the same words that find nothing. A survey is progress: a good
 * result, or nothing found, counts only where the call is about nothing that is new in the row. Searches count
 * together, whatever tool makes them. Calls that write are exempt, because their results are alike by their nature, and
 * end the row; calls that poll or were refused neither count nor end it. The same call made twice counts once:
 * `identical-calls` and `no-progress` watch that.
 */
export function sameResult(config: Config = CONFIG.parse({}), traits: TraitsOf = noTraits): Detector<Awaited<Row>> {
  const keep = Math.max(config.nudge, config.stop);
  return stepByStep('same-result', NONE, traits, (before, { step }) => {
    const row = lengthened(before, step, keep);
    return { state: row, ...noticedIn(row, before, step, config) };
  });
}

function lengthened(row: Row, call: Observed, keep: number): Row {
  const { action, isPolling, isWriting, isRefused, foundNothing, isBad } = call;
  if (isPolling || isRefused) return row;
  if (isWriting) return NONE;
  const [, answered] = call.evidence;
  const { tool, gist } = foundNothing ? NOTHING_FOUND : call;
  // Where a result has names of some calls and not of others, the results themselves are compared.
  if (row.tool !== tool || (row.gist !== gist && row.result !== call.result))
    return { tool, gist, result: call.result, action, words: [...call.words], count: 1, evidence: [answered] };
  if (row.action === action) return row;
  const fresh = [...new Set(call.words)].filter((word) => !row.words.includes(word));
  const words = fresh.length === 0 ? row.words : [...row.words, ...fresh].slice(-MAX_WORDS);
  const isSurvey = (foundNothing || !isBad) && fresh.length > 0;
  if (isSurvey) return { ...row, action, words };
  return { ...row, action, words, count: row.count + 1, evidence: withEvidence(row.evidence, answered, keep) };
}

function noticedIn({ gist, count, evidence }: Row, before: Row, { tool }: Observed, config: Config) {
  const rung = rungAt(count, before.count, config);
  if (rung === null) return begunAnew(count, before.count);
  const searches = `${count} searches in a row, in words that were tried before, have found nothing`;
  const calls = `${count} calls of ${tool} in a row, each with other arguments, brought the same result`;
  const message = gist === NOTHING_FOUND.gist ? searches : calls;
  return noticedAt(rung, { detector: 'same-result', count, message, evidence }, { tools: tool.split(', ') });
}

export const sameResultKind = detectorKind({
  name: 'same-result',
  row: 'D14',
  notices: 'one tool brings the same result again and again, though its arguments differ',
  config: CONFIG,
  inDefault: true,
  climbs: true,
  create: (config, traits) => withRefusal(sameResult(config, traits), traits),
});
