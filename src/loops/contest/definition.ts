import { contestEntry } from '../../../machines/index.ts';
import type { Evidence } from '../../kernel/decision.ts';
import type { LoopDefinition } from '../../kernel/loop-definition.ts';
import { attemptActivity, attemptRounds } from '../attempt-loop.ts';
import { groundsAnswers } from '../grounds-questions.ts';
import { comparison, freesLane, reserveForLane, setAsideForLane } from './contest-rounds.ts';
import { ContestMemory } from './contest-memory.ts';
import { contestSettings } from './contest-settings.ts';
import { contestDescription } from './description.ts';
import { contestEffects } from './effects.ts';
import { judgeContest } from './judge-contest.ts';
import { contestRanking } from './ranking.ts';

const asks = groundsAnswers({});

/** Attempts at one task that compete: the best by evidence wins. */
export const contestLoop: LoopDefinition = {
  ...contestEntry,
  rounds: attemptRounds,
  effects: contestEffects,
  judge: (evidence: Evidence) => judgeContest(evidence as Parameters<typeof judgeContest>[0]),
  judgements: { 'attempts.compared': comparison },
  remember: (_run, settings) => new ContestMemory(settings),
  reserve: reserveForLane,
  setsAside: setAsideForLane,
  frees: freesLane,
  settings: contestSettings,
  commands: asks.commands,
  answered: asks.answered,
  activity: attemptActivity,
  ranking: contestRanking,
  describe: { ...contestDescription, questions: asks.questions },
};
