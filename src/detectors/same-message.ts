import { z } from 'zod';
import { whole } from '../strategies/numbers.ts';
import { type Detector, eventId } from './detector.ts';
import { detectorKind } from './detector-kind.ts';
import { actionOf } from './signature.ts';
import { noTraits, type TraitsOf } from './traits.ts';

const CONFIG = z.strictObject({ threshold: whole(2, 'calls').default(3) });
type Config = z.output<typeof CONFIG>;

/**
 * D3: one answer asks for the same call several times. The third and all later ones are refused. Exempt and polling
 * tools count too: these calls would all run at the same moment.
 */
export function sameMessage({ threshold }: Config = CONFIG.parse({}), traits: TraitsOf = noTraits): Detector<null> {
  return {
    name: 'same-message',
    sees: new Set(['model.completed']),
    init: () => null,
    step: (state, event) => {
      if (event.type !== 'model.completed') return { state };
      const counts = new Map<string, number>();
      const refused = event.payload.calls.filter((call) => {
        const action = actionOf(call, traits(call.tool));
        const count = (counts.get(action) ?? 0) + 1;
        counts.set(action, count);
        return count >= threshold;
      });
      const [first] = refused;
      if (!first) return { state };
      const count = Math.max(...counts.values());
      const message = `the same call ${count} times in one answer: ${first.tool}`;
      const calls = refused.map(({ callId }) => callId);
      const evidence = [eventId(event)];
      return { state, finding: { detector: 'same-message', level: 'block', count, message, evidence, calls } };
    },
  };
}

export const sameMessageKind = detectorKind({
  name: 'same-message',
  row: 'D3',
  notices: 'one answer asks for the same call several times',
  config: CONFIG,
  create: (config, traits) => sameMessage(config, traits),
});
