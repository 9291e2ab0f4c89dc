import type { Discovery } from '../../../../machines/improvement-facts.ts';
import type { ImprovementOptions } from '../../../../machines/improvement-options.ts';

/** What of an iteration's discoveries is tried. */
export interface Weighed {
  /** In the order in which they are tried: the most relevant first. */
  readonly candidates: readonly Discovery[];
  /** How many the minimum of relevance refused. */
  readonly refused: number;
  /** How many more passed than are tried. */
  readonly beyond: number;
}

type Options = Pick<ImprovementOptions['phases']['filter'], 'enabled' | 'minRelevanceScore' | 'maxCandidates'>;

/**
 * Leaves out what is not relevant enough. Of the same relevance, what was found first is tried first. Without a filter
 * all pass, with a score of 1.
 *
 * @example
 * weighed(discoveries, { enabled: true, minRelevanceScore: 0.6, maxCandidates: 5 }).candidates;
 */
export function weighed(
  discoveries: readonly Discovery[],
  { enabled, minRelevanceScore, maxCandidates }: Options,
  scores: ReadonlyMap<string, number> = new Map(),
): Weighed {
  if (!enabled) {
    return { candidates: discoveries.map((one) => ({ ...one, relevanceScore: 1 })), refused: 0, beyond: 0 };
  }
  const scored = discoveries.map((one) => ({ ...one, relevanceScore: scores.get(one.id) ?? one.relevanceScore }));
  const passing = scored
    .filter(({ relevanceScore }) => relevanceScore >= minRelevanceScore)
    .toSorted((one, other) => other.relevanceScore - one.relevanceScore);
  return {
    candidates: passing.slice(0, maxCandidates),
    refused: scored.length - passing.length,
    beyond: Math.max(0, passing.length - maxCandidates),
  };
}
