import type { Observed } from './observation.ts';
import { withEvidence } from './evidence-ids.ts';

/** Entries by signature, in buckets: one is found and replaced without a copy of all the others. */
interface Kept<Entry> {
  readonly buckets: { readonly [bucket: string]: readonly (readonly [key: string, entry: Entry])[] };
}

const NOTHING_KEPT: Kept<never> = { buckets: {} };

/** 16 buckets, of which the newest 16 signatures each stay. */
const BUCKET_CHARS = 1;
const MAX_IN_BUCKET = 16;
const KEY_CHARS = 14;

/** The entry of a signature, which is a digest in hexadecimal. */
function keptAt<Entry>({ buckets }: Kept<Entry>, signature: string): Entry | undefined {
  const key = signature.slice(0, KEY_CHARS);
  return buckets[key.slice(0, BUCKET_CHARS)]?.find(([own]) => own === key)?.[1];
}

/** The same entries with this one as the newest: in a full bucket the oldest makes room. */
function keeping<Entry>({ buckets }: Kept<Entry>, signature: string, entry: Entry): Kept<Entry> {
  const key = signature.slice(0, KEY_CHARS);
  const at = key.slice(0, BUCKET_CHARS);
  const others = (buckets[at] ?? []).filter(([own]) => own !== key);
  return { buckets: { ...buckets, [at]: [...others, [key, entry] as const].slice(-MAX_IN_BUCKET) } };
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
const RESULT_CHARS = 12;
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
  const earlier = keptAt(calls, action);
  const result = isRefused && earlier ? (earlier.results.at(-1) ?? '') : call.result.slice(0, RESULT_CHARS);
  const isSame = earlier?.results.at(-1) === result;
  const isConfirmed = isSame && !isRefused && !isBad && earlier.changes < changes;
  const before = isSame && !isConfirmed ? earlier.count : 0;
  const asked = withEvidence(before > 0 ? (earlier?.asked ?? []) : [], evidence[0], MAX_ASKED);
  const results = [...(earlier?.results ?? []).filter((one) => one !== result), result].slice(-MAX_RESULTS);
  const isChange = mayChange && end === 'done' && !earlier;
  const changed = changes + (isChange ? 1 : 0);
  // Its own change did not come between.
  const made = { results, count: before + 1, changes: changed, asked };
  return {
    known: { calls: keeping(calls, action, made), changes: changed },
    count: before + 1,
    before,
    isFirst: earlier === undefined,
    isOld: earlier?.results.includes(result) === true && !isConfirmed,
    asked,
  };
}
