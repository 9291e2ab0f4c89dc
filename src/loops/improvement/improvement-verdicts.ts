import type { LoopEvent } from '../../../machines/events.ts';
import type { LoopVerdicts } from '../../kernel/loop-verdicts.ts';

/** The evaluation of a candidate is the verdict on its change. */
export const improvementVerdicts: LoopVerdicts = {
  verdict: ({ type, payload }: LoopEvent) =>
    type === 'evaluation.completed'
      ? { about: payload.candidate, passed: payload.passed, workspace: payload.tree }
      : null,
  integrated: ({ type, payload }: LoopEvent) => (type === 'integration.completed' ? payload.candidate : null),
  takesBack: ({ type }: LoopEvent) => type === 'integration.denied',
};
