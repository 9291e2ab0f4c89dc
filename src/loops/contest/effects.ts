import type { Effect } from '../shared/effect.ts';
import { attempt } from '../shared/effects/run-child.ts';
import { sharedEffects } from '../shared-effects.ts';
import { compared, admittedAttempt } from './contest-rounds.ts';
import { bringing } from './effects/bring-winner.ts';
import { measurement } from './effects/measure-attempt.ts';
import { preparation } from './effects/prepare-attempt.ts';
import { isAgentModel } from '../../../machines/agent-model.ts';
import type { RunSettings } from '../../../machines/settings.ts';
import type { ChildOf } from '../../kernel/effect-spec.ts';
import { attemptSettings, roundSettings } from '../attempt-settings.ts';
import type { ContestMemory } from './contest-memory.ts';

/** The effects of a contest. */
export const contestEffects: Readonly<Record<string, Effect>> = {
  ...sharedEffects,
  admitAttempt: { class: 'repeatable', interrupted: null, decide: admittedAttempt },
  prepareAttempt: preparation,
  runAgent: { ...attempt, opens: contestantSettings, opensLater: true },
  measureAttempt: measurement,
  compareAttempts: {
    class: 'repeatable',
    interrupted: null,
    decide: (context, memory) => ({ type: 'attempts.compared', payload: compared(context, memory) }),
  },
  bringWinner: bringing,
};

/**
 * The settings of an attempt: the run that was asked for, in the worktree that was made for it, with its reservation as
 * its share, and its own model. It asks no person whether changed tests count: another attempt may do without.
 */
function contestantSettings(of: ChildOf): RunSettings {
  const memory = of.memory as ContestMemory;
  const { attempt } = memory.options;
  const { lane = '' } = of;
  const prepared = memory.of(lane)?.prepared;
  if (!prepared) throw new Error(`${of.run}: an attempt begins without a worktree`);
  // It is the first of its own run, whichever of the contest it is.
  const own = { ...of, feedback: null, iteration: 0 };
  const settings = attempt.loop === 'turn' ? turnSettings(own) : roundSettings(own, attempt);
  const { proof } = settings;
  const model = memory.modelOf(lane);
  return {
    ...settings,
    model,
    ...(isAgentModel(model) ? { tools: [], system: null } : {}),
    directory: prepared.directory,
    isolation: prepared.isolation,
    ...(proof ? { proof: { ...proof, wait: false as const } } : {}),
    parent: { run: of.run, effect: of.effect, iteration: of.iteration },
  };
}

/** A turn that checks its own work. */
function turnSettings(of: ChildOf): RunSettings {
  const { checks, proof } = of.settings;
  return { ...attemptSettings(of), checks, ...(proof ? { proof } : {}) };
}
