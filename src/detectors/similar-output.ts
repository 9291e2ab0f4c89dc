import { z } from 'zod';
import { head } from '../text/excerpt.ts';
import { share, wholeWithin } from '../strategies/numbers.ts';
import { similarity } from '../strategies/similarity.ts';
import { type Detector, eventId, type Noticed } from './detector.ts';
import { detectorKind } from './detector-kind.ts';

/** Only the beginning of a longer output is compared. */
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
 * D6b: the newest answer of an attempt is nearly the same as those of the attempts before it. `threshold` is a
 * similarity, the share of tokens that two answers have in common: 0.95 is nearly the same, 0.05 is nearly anything. An
 * attempt without success gave no answer and is left out.
 */
export function similarOutput(
  { threshold, iterations }: z.output<typeof CONFIG> = CONFIG.parse({}),
): Detector<Outputs> {
  return {
    name: 'similar-output',
    sees: new Set(['child.settled']),
    init: () => ({ kept: [] }),
    step: (before, event): Noticed<Outputs> => {
      if (event.type !== 'child.settled' || event.payload.callId !== undefined) return { state: before };
      const { outcome, answer } = event.payload;
      if (outcome.ending !== 'success') return { state: before };
      const output = head(answer, MAX_OUTPUT_CHARS);
      const kept = [...before.kept, { output, id: eventId(event) }].slice(-iterations);
      const alike = Math.min(...kept.map((one) => similarity(one.output, output)));
      if (kept.length < iterations || alike < threshold) return { state: { kept } };
      const percent = Math.floor(alike * 100);
      const message = `${iterations} attempts in a row gave nearly the same answer (${percent} % alike)`;
      const evidence = kept.map(({ id }) => id);
      return {
        state: { kept },
        finding: { detector: 'similar-output', level: 'stop', count: iterations, message, evidence },
      };
    },
  };
}

export const similarOutputKind = detectorKind({
  name: 'similar-output',
  row: 'D6b',
  notices: 'attempts give nearly the same answer',
  config: CONFIG,
  create: (config) => similarOutput(config),
});
