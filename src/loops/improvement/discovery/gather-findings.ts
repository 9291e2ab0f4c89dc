import { type Discovery, MAX_DISCOVERIES } from '../../../../machines/improvement-facts.ts';
import { discoveryOf, type Found } from './finding-facts.ts';

/** What is new among findings. */
export interface Gathered {
  /** The most relevant first, at most `MAX_DISCOVERIES`. */
  readonly discoveries: readonly Discovery[];
  /** How many were tried or integrated before. */
  readonly known: number;
  /** How many more there are. */
  readonly left: number;
}

/**
 * Names findings, and keeps each once: of two with one fingerprint the more relevant. Those of the same relevance stay
 * in their order, so that the same findings give the same list.
 */
export function gathered(found: readonly Found[], known: ReadonlyMap<string, unknown>): Gathered {
  const unique = new Map<string, Discovery>();
  for (const one of found.map(discoveryOf)) {
    const before = unique.get(one.fingerprint);
    if (!before || before.relevanceScore < one.relevanceScore) unique.set(one.fingerprint, one);
  }
  const all = [...unique.values()];
  const fresh = all
    .filter(({ fingerprint }) => !known.has(fingerprint))
    .toSorted((one, other) => other.relevanceScore - one.relevanceScore);
  return {
    discoveries: fresh.slice(0, MAX_DISCOVERIES),
    known: all.length - fresh.length,
    left: Math.max(0, fresh.length - MAX_DISCOVERIES),
  };
}
