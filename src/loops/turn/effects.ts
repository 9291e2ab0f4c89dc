import type { EventOf } from '../../../machines/events.ts';
import type { Interruption, EffectSpec } from '../../kernel/effect-spec.ts';
import type { Outstanding } from '../../kernel/fold.ts';
import { sharedEffects } from '../shared-effects.ts';

const NO_USAGE = { inputTokens: 0, outputTokens: 0 };

const callInterrupted = ({ key }: Outstanding, { reason }: Interruption): EventOf<'tool.interrupted'> => ({
  type: 'tool.interrupted',
  payload: { callId: key.slice('call.'.length), reason },
});

/** The effects of a turn. */
export const turnEffects = {
  ...sharedEffects,
  streamModel: {
    class: 'repeatable',
    spends: true,
    interrupted: (_, { reason, kept }) => ({
      type: 'model.interrupted',
      payload: { reason, text: '', usage: kept ?? NO_USAGE },
    }),
  },
  admitCalls: { class: 'repeatable', interrupted: null },
  runTool: { class: 'by input', interrupted: callInterrupted },
  askPerson: { class: 'repeatable', asksPerson: true, interrupted: callInterrupted },
  runAgent: { class: 'child', interrupted: callInterrupted },
} as const satisfies Readonly<Record<string, EffectSpec>>;
