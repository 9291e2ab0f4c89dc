import { z } from 'zod';
import { head } from '../config/excerpt.ts';
import { share, wholeWithin } from '../strategies/numbers.ts';
import { similarity } from '../strategies/similarity.ts';
import { type Detector, eventId, type Noticed } from './detector.ts';
import { detectorKind } from './kind.ts';

/** Of a longer output the beginning is compared. */
const MAX_OUTPUT_CHARS = 10_000;
const MAX_ITERATIONS = 10;

export interface Outputs {
  readonly kept: readonly { readonly output: string; readonly id: string }[];
}

const CONFIG = z.strictObject({
  threshold: share().default(0.95),
  iterations: wholeWithin(2, MAX_ITERATIONS, 'iterations').default(3),
});

/**
 * D6b: the newest answer of an attempt is nearly that of each of the attempts before it. `threshold` is a similarity, the
 * share of words that two answers have in common: 0.95 is nearly the same, 0.05 is nearly anything. An attempt that fell
 * short of its end gave no answer and is left out.
 */
export function similarOutput({ threshold, iterations }: z.output<typeof CONFIG> = CONFIG.parse({})): Detector<Outputs> {
  return {
    name: 'similar-output',
    init: () => ({ kept: [] }),
    step: (before, event): Noticed<Outputs> => {
      if (event.type !== 'child.settled' || event.payload.callId !== undefined) return { state: before };
      const { outcome, answer } = event.payload;
      if (outcome.ending !== 'success') return { state: before };
      const output = head(answer, MAX_OUTPUT_CHARS);
      const kept = [...before.kept, { output, id: eventId(event) }].slice(-iterations);
      const alike = Math.min(...kept.map((one) => similarity(one.output, output)));
      if (kept.length < iterations || alike < threshold) return { state: { kept } };
      const message = `${iterations} attempts in a row gave nearly the same answer (${Math.floor(alike * 100)} % alike)`;
      const evidence = kept.map(({ id }) => id);
      return { state: { kept }, finding: { detector: 'similar-output', level: 'stop', count: iterations, message, evidence } };
    },
  };
}

export const similarOutputKind = detectorKind({
  name: 'similar-output',
  config: CONFIG,
  create: (config) => similarOutput(config),
});
