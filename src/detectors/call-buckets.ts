/** Entries by signature, in buckets: one is found and replaced without a copy of all the others. */
export interface Kept<Entry> {
  readonly buckets: { readonly [bucket: string]: readonly (readonly [key: string, entry: Entry])[] };
}

export const NOTHING_KEPT: Kept<never> = { buckets: {} };

/** 16 buckets, of which the newest 16 signatures each stay. */
const BUCKET_CHARS = 1;
const MAX_IN_BUCKET = 16;
const KEY_CHARS = 14;

/** The entry of a signature, which is a digest in hexadecimal. */
export function keptAt<Entry>({ buckets }: Kept<Entry>, signature: string): Entry | undefined {
  const key = signature.slice(0, KEY_CHARS);
  return buckets[key.slice(0, BUCKET_CHARS)]?.find(([own]) => own === key)?.[1];
}

/** The same entries with this one as the newest: in a full bucket the oldest makes room. */
export function keeping<Entry>({ buckets }: Kept<Entry>, signature: string, entry: Entry): Kept<Entry> {
  const key = signature.slice(0, KEY_CHARS);
  const at = key.slice(0, BUCKET_CHARS);
  const others = (buckets[at] ?? []).filter(([own]) => own !== key);
  return { buckets: { ...buckets, [at]: [...others, [key, entry] as const].slice(-MAX_IN_BUCKET) } };
}
