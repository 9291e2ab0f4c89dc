import { z } from 'zod';
import { whole } from '../strategies/numbers.ts';
import { type Detector, eventId, type Noticed } from './detector.ts';
import { withEvidence } from './evidence.ts';
import { detectorKind } from './kind.ts';
import { isUserMessage } from './user-message.ts';

/** Answers in a row without a call and without a person's word between. */
export interface Monologue {
  readonly count: number;
  readonly evidence: readonly string[];
}

const CONFIG = z.strictObject({ threshold: whole(2, 'answers').default(3) });
const SILENCE: Monologue = { count: 0, evidence: [] };

/** D1c: the model only talks. An answer that was cut and goes on in the next one is the same answer still. */
export function monologue({ threshold }: z.output<typeof CONFIG> = CONFIG.parse({})): Detector<Monologue> {
  return {
    name: 'monologue',
    init: () => SILENCE,
    step: (before, event): Noticed<Monologue> => {
      if (isUserMessage(event)) return { state: SILENCE };
      if (event.type !== 'model.completed') return { state: before };
      if (event.payload.calls.length > 0) return { state: SILENCE };
      if (event.payload.cut !== undefined) return { state: before };
      const count = before.count + 1;
      const evidence = withEvidence(before.evidence, eventId(event), threshold);
      const state = { count, evidence };
      if (count < threshold) return { state };
      const message = `${count} answers in a row without a call`;
      return { state, finding: { detector: 'monologue', level: 'stop', count, message, evidence: [...evidence] } };
    },
  };
}

export const monologueKind = detectorKind({
  name: 'monologue',
  config: CONFIG,
  create: (config) => monologue(config),
});
