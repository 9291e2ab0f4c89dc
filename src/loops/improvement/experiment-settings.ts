import type { ProofSettings, RunSettings } from '../../../machines/settings.ts';
import type { ChildOf } from '../../kernel/child-run.ts';
import { attemptSettings } from '../attempt-settings.ts';
import { roundSettings } from '../round-settings.ts';
import { experimentPrompt } from './experiment-prompt.ts';
import type { ImprovementMemory } from './memory.ts';

/**
 * The settings of an experiment: a run of the loop that the options name, in the worktree that was made for it, with
 * its reservation as its share. A loop of attempts has the checks of the run; a turn is evaluated from outside alone.
 */
export function experimentSettings(of: ChildOf): RunSettings {
  const memory = of.memory as ImprovementMemory;
  const { phases } = memory.options;
  const { model, loop, maxIterations } = phases.experiment;
  const { prepared } = memory.experiments.of(of.lane) ?? {};
  if (!prepared) throw new Error(`${of.run}: an experiment begins without a worktree`);
  const own = { ...of, feedback: null };
  const settings =
    loop === 'turn' ? attemptSettings(own) : roundSettings(own, { loop, maxIterations, checks: of.settings.checks });
  const { proof } = settings;
  return {
    ...settings,
    prompt: experimentPrompt(of, memory),
    model: model ?? settings.model,
    directory: prepared.directory,
    isolation: prepared.isolation,
    // An experiment asks no person, and what counts is what the experiment begins with.
    ...(proof ? { proof: { ...withoutInherited(proof), base: prepared.base, wait: false } } : {}),
  };
}

/** All files of its worktree are those of the base, also where the run itself began with other grounds. */
function withoutInherited({ start: _start, inherited: _inherited, ...proof }: ProofSettings): ProofSettings {
  return proof;
}
