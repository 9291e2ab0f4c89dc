import { z } from 'zod';
import { Level } from '../../machines/events.ts';
import type { Finding } from '../../machines/outcome.ts';
import { measure } from '../strategies/report.ts';
import { share, whole } from '../strategies/numbers.ts';
import type { Detector, Noticed } from './detector.ts';
import { withEvidence } from './evidence-ids.ts';
import { type EndedIteration, followed, type Iterating, ITERATIONS, NOT_ITERATING } from './iteration-end.ts';
import { detectorKind } from './detector-kind.ts';

/** How far the checks came: the highest level that passed, how many passed, and the negated number of failed tests. */
type Score = readonly [number, number, number];

export interface Improving {
  readonly iterating: Iterating;
  readonly best: Score | null;
  readonly iterations: number;
  readonly improvements: number;
  /** Iterations since the last improvement. */
  readonly since: number;
  readonly evidence: readonly string[];
}

const CONFIG = z.strictObject({
  iterations: whole(2, 'iterations').default(3),
  minRate: share().default(0.1),
  rateFrom: whole(2, 'iterations').default(5),
});

/**
 * D11: the checks come no further than in the best iteration before. The first checked iteration counts as an
 * improvement. A loop without checks has no measure, so nothing is found in it.
 */
export function noImprovement(config: z.output<typeof CONFIG> = CONFIG.parse({})): Detector<Improving> {
  return {
    name: 'no-improvement',
    sees: ITERATIONS,
    init: () => ({ iterating: NOT_ITERATING, best: null, iterations: 0, improvements: 0, since: 0, evidence: [] }),
    step: (before, event): Noticed<Improving> => {
      const { state: iterating, ended } = followed(before.iterating, event);
      if (!ended || ended.checksTotal === 0) return { state: { ...before, iterating } };
      const state = { ...after(before, ended, config.iterations), iterating };
      const message = messageFor(state, config);
      return message === null ? { state } : { state, finding: findingOf(state, message) };
    },
  };
}

function after(before: Improving, ended: EndedIteration, keep: number): Improving {
  const score = ended.report ? scoreOf(ended) : null;
  const isBetter = score !== null && (before.best === null || isAbove(score, before.best));
  return {
    ...before,
    best: isBetter ? score : before.best,
    iterations: before.iterations + 1,
    improvements: before.improvements + (isBetter ? 1 : 0),
    since: isBetter ? 0 : before.since + 1,
    evidence: withEvidence(before.evidence, ended.id, keep),
  };
}

function scoreOf({ report, checksTotal }: EndedIteration): Score {
  const { highestLevel, checksPassed, testsFailed } = measure(report, checksTotal);
  const level = highestLevel === null ? -1 : Level.options.indexOf(highestLevel);
  return [level, checksPassed, 0 - testsFailed];
}

function isAbove(one: Score, other: Score): boolean {
  const differing = one.findIndex((part, index) => part !== other[index]);
  return differing >= 0 && (one[differing] ?? 0) > (other[differing] ?? 0);
}

function messageFor({ since, iterations, improvements }: Improving, config: z.output<typeof CONFIG>): string | null {
  if (since >= config.iterations) return `${since} iterations in a row without an improvement in the checks`;
  const isTooFew = iterations >= config.rateFrom && improvements / iterations < config.minRate;
  return isTooFew ? `only ${improvements} of ${iterations} iterations were an improvement in the checks` : null;
}

const findingOf = ({ since, evidence }: Improving, message: string): Finding => ({
  detector: 'no-improvement',
  level: 'stop',
  count: since,
  message,
  evidence: [...evidence],
});

export const noImprovementKind = detectorKind({
  name: 'no-improvement',
  row: 'D11',
  notices: 'the checks come no further than in the best iteration before',
  config: CONFIG,
  create: (config) => noImprovement(config),
});
