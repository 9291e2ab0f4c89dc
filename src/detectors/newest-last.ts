/**
 * A list with one more entry as its newest, the last. It comes in place of the entry at `earlier`; where that is -1 and
 * the list is full, in place of the oldest.
 */
export function newestLast<Entry>(
  list: readonly Entry[],
  earlier: number,
  entry: Entry,
  most: number,
): readonly Entry[] {
  const others = earlier >= 0 ? list.toSpliced(earlier, 1) : list.slice(Math.max(0, list.length + 1 - most));
  others.push(entry);
  return others;
}

/**
 * The beginning of a digest, by which detectors know a thing again among a few hundred. Up to 12 characters are copied
 * by the engine: the comparison of longer parts takes several times as long.
 */
export const shortDigest = (digest: string): string => digest.slice(0, 12);
