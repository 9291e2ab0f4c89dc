import { z } from 'zod';
import { whole } from '../strategies/numbers.ts';
import { type Detector, eventId, type Noticed } from './detector.ts';
import { withEvidence } from './evidence-ids.ts';
import { detectorKind } from './detector-kind.ts';

export interface Thrash {
  /** Answers since the conversation was last summarised or full. */
  readonly answers: number;
  /** Whether it was summarised last. */
  readonly isCompacted: boolean;
  readonly times: number;
  readonly evidence: readonly string[];
}

const CONFIG = z.strictObject({ times: whole(2, 'times').default(3), withinAnswers: whole(0, 'answers').default(1) });

/**
 * D10: the conversation is full again within `withinAnswers` answers after it was summarised. What fills it is then not
 * the conversation, and another summary will not help.
 */
export function compactionThrash(
  { times, withinAnswers }: z.output<typeof CONFIG> = CONFIG.parse({}),
): Detector<Thrash> {
  return {
    name: 'compaction-thrash',
    sees: new Set(['context.compacted', 'model.completed', 'context.filled']),
    init: () => NO_THRASH,
    step: (state, event): Noticed<Thrash> => {
      switch (event.type) {
        case 'context.compacted':
          return { state: { ...state, answers: 0, isCompacted: true } };
        case 'model.completed': {
          const answers = state.answers + 1;
          return { state: answers > withinAnswers ? NO_THRASH : { ...state, answers } };
        }
        case 'context.filled':
          return filled(state, eventId(event), times);
        default:
          return { state };
      }
    },
  };
}

const NO_THRASH: Thrash = { answers: 0, isCompacted: false, times: 0, evidence: [] };

function filled(before: Thrash, id: string, times: number): Noticed<Thrash> {
  if (!before.isCompacted) return { state: { ...before, answers: 0 } };
  const state = {
    answers: 0,
    isCompacted: false,
    times: before.times + 1,
    evidence: withEvidence(before.evidence, id, times),
  };
  if (state.times < times) return { state };
  const message = `the conversation was full again right after it was summarised, ${state.times} times`;
  return {
    state,
    finding: {
      detector: 'compaction-thrash',
      level: 'stop',
      count: state.times,
      message,
      evidence: [...state.evidence],
    },
  };
}

export const compactionThrashKind = detectorKind({
  name: 'compaction-thrash',
  row: 'D10',
  notices: 'the conversation is full again right after it was summarised',
  config: CONFIG,
  inDefault: true,
  create: (config) => compactionThrash(config),
});
