import type { Observed } from './observation.ts';
import { withEvidence } from './evidence-ids.ts';
import { newestLast, shortDigest } from './newest-last.ts';

/** Entries by signature, in buckets: one is found and replaced without a copy of all the others. */
interface Kept<Entry> {
  readonly buckets: readonly (readonly { readonly key: string; readonly entry: Entry }[])[];
}

/** A bucket for each first digit, of which the newest 16 signatures stay. */
const BUCKETS = 16;
const MAX_IN_BUCKET = 16;

const NOTHING_KEPT: Kept<never> = { buckets: Array.from({ length: BUCKETS }, () => []) };

/** The bucket of a signature, which is a digest in hexadecimal. */
const bucketOf = (signature: string): number => Number.parseInt(signature.charAt(0), BUCKETS) || 0;

/** The same entries with this one as the newest: in a full bucket the oldest makes room. */
function keeping<Entry>({ buckets }: Kept<Entry>, signature: string, earlier: number, entry: Entry): Kept<Entry> {
  const at = bucketOf(signature);
  const added = { key: shortDigest(signature), entry };
  return { buckets: buckets.with(at, newestLast(buckets[at] ?? [], earlier, added, MAX_IN_BUCKET)) };
}

/** The calls that were made, by their signatures, with what they brought. */
export interface KnownCalls {
  readonly calls: Kept<Made>;
  /** The number of calls that were not known before and may have changed a file. */
  readonly changes: number;
}

interface Made {
  /** The newest results, in short, the last one at the end. */
  readonly results: readonly string[];
  /** The times in a row that it brought the last one. */
  readonly count: number;
  /** As many changes as there were when it was made last. */
  readonly changes: number;
  readonly asked: readonly string[];
}

export const NO_CALLS: KnownCalls = { calls: NOTHING_KEPT, changes: 0 };

const MAX_RESULTS = 3;
const MAX_ASKED = 4;

/** A call, and what is known of those like it. */
export interface Again {
  readonly known: KnownCalls;
  /** The times that it was made with this result, since its result last changed; and that number before it. */
  readonly count: number;
  readonly before: number;
  /** It was not made before. */
  readonly isFirst: boolean;
  /** It was made before, with this result. */
  readonly isOld: boolean;
  readonly asked: readonly string[];
}

/**
 * Counts a call by its signature, whatever lies between. A good result that is the same after a change says that the
 * change broke nothing: it begins the count anew. A refused call counts like the one that it repeats.
 */
export function again({ calls, changes }: KnownCalls, call: Observed): Again {
  const { action, isRefused, mayChange, isBad, end, evidence } = call;
  const bucket = calls.buckets[bucketOf(action)] ?? [];
  const key = shortDigest(action);
  const at = bucket.findIndex((one) => one.key === key);
  const earlier = bucket[at]?.entry;
  const result = isRefused && earlier ? (earlier.results.at(-1) ?? '') : shortDigest(call.result);
  const isSame = earlier?.results.at(-1) === result;
  const isConfirmed = isSame && !isRefused && !isBad && earlier.changes < changes;
  const before = isSame && !isConfirmed ? earlier.count : 0;
  const asked = withEvidence(before > 0 ? (earlier?.asked ?? []) : [], evidence[0], MAX_ASKED);
  const results = isSame
    ? earlier.results
    : newestLast(earlier?.results ?? [], earlier?.results.indexOf(result) ?? -1, result, MAX_RESULTS);
  const isChange = mayChange && end === 'done' && !earlier;
  const changed = changes + (isChange ? 1 : 0);
  // Its own change did not come between.
  const made = { results, count: before + 1, changes: changed, asked };
  return {
    known: { calls: keeping(calls, action, at, made), changes: changed },
    count: before + 1,
    before,
    isFirst: earlier === undefined,
    isOld: earlier?.results.includes(result) === true && !isConfirmed,
    asked,
  };
}
