import { z } from 'zod';
import { whole } from '../strategies/numbers.ts';
import { type Detector, eventId, type Noticed } from './detector.ts';
import { withEvidence } from './evidence-ids.ts';
import { ANSWERS } from './answer-by-answer.ts';
import { detectorKind } from './detector-kind.ts';
import { isFreshStart } from './fresh-start.ts';

/** Answers in a row without a call, and without a user message between them. */
export interface Monologue {
  readonly count: number;
  readonly evidence: readonly string[];
}

const CONFIG = z.strictObject({ threshold: whole(2, 'answers').default(3) });
const SILENCE: Monologue = { count: 0, evidence: [] };

/** D1c: the model answers without calling a tool. The parts of an answer that was cut count as one answer. */
export function monologue({ threshold }: z.output<typeof CONFIG> = CONFIG.parse({})): Detector<Monologue> {
  return {
    name: 'monologue',
    sees: ANSWERS,
    init: () => SILENCE,
    step: (before, event): Noticed<Monologue> => {
      if (isFreshStart(event)) return { state: SILENCE };
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
  row: 'D1c',
  notices: 'answers without a call, and no user message between them',
  config: CONFIG,
  inDefault: true,
  create: (config) => monologue(config),
});
