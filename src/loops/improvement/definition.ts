import { improvementEntry } from '../../../machines/index.ts';
import type { LoopDefinition } from '../../kernel/loop-definition.ts';
import type { Evidence } from '../../kernel/decision.ts';
import { attemptActivity } from '../attempt-loop.ts';
import { improvementDescription } from './description.ts';
import { improvementEffects } from './effects.ts';
import type { ImprovementEvidence } from './budget-rule.ts';
import { judgeImprovement } from './judge.ts';
import { improvementSettings } from './improvement-settings.ts';
import { ImprovementMemory } from './memory.ts';
import { integrationCommands, integrationRuling } from './integration-questions.ts';
import { improvementRanking } from './ranking.ts';
import { frees, improvementRounds, reserveForPhase, setsAside } from './improvement-rounds.ts';
import type { LoopEvent } from '../../../machines/events.ts';
import type { LoopVerdicts } from '../../kernel/loop-verdicts.ts';

/** The evaluation of a candidate is the verdict on its change. */
const improvementVerdicts: LoopVerdicts = {
  verdict: ({ type, payload }: LoopEvent) =>
    type === 'evaluation.completed'
      ? { about: payload.candidate, passed: payload.passed, workspace: payload.tree }
      : null,
  integrated: ({ type, payload }: LoopEvent) => (type === 'integration.completed' ? payload.candidate : null),
  takesBack: ({ type }: LoopEvent) => type === 'integration.denied',
};

/** Finds what could be better, tries it in a worktree of its own, and keeps what is proven. */
export const improvementLoop: LoopDefinition = {
  ...improvementEntry,
  rounds: improvementRounds,
  effects: improvementEffects,
  judge: (evidence: Evidence) => judgeImprovement(evidence as ImprovementEvidence),
  remember: (_run, settings) => new ImprovementMemory(settings),
  reserve: reserveForPhase,
  setsAside,
  frees,
  settings: improvementSettings,
  commands: integrationCommands,
  answered: integrationRuling,
  activity: attemptActivity,
  ranking: improvementRanking,
  verdicts: improvementVerdicts,
  describe: improvementDescription,
};
