import type { EventOf } from '../../../machines/events.ts';
import type { Interruption, EffectSpec } from '../../runtime/loop-definition.ts';
import type { Outstanding } from '../../runtime/fold.ts';
import { sharedEffects } from '../shared-effects.ts';

const NO_USAGE = { inputTokens: 0, outputTokens: 0 };

const callInterrupted = ({ key }: Outstanding, { reason }: Interruption): EventOf<'tool.interrupted'> => ({
  type: 'tool.interrupted',
  payload: { callId: key.slice('call.'.length), reason },
});

/** What a turn asks of the world. */
export const turnEffects = {
  ...sharedEffects,
  streamModel: {
    class: 'repeatable',
    spends: true,
    interrupted: (_, { reason, kept }) => ({ type: 'model.interrupted', payload: { reason, text: '', usage: kept ?? NO_USAGE } }),
  },
  admitCalls: { class: 'repeatable', interrupted: null },
  runTool: { class: 'by input', interrupted: callInterrupted },
  askPerson: { class: 'repeatable', asksPerson: true, interrupted: callInterrupted },
  runAgent: { class: 'child', interrupted: callInterrupted },
} as const satisfies Readonly<Record<string, EffectSpec>>;
