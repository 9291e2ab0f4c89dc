import { ContestOptions, MAX_ATTEMPTS } from '../../../machines/contest-facts.ts';
import type { RunSettings } from '../../../machines/settings.ts';
import type { LoopSettings } from '../../kernel/loop-definition.ts';
import { type ConfigFault, faultAt } from '../../options/config-fault.ts';
import { attemptBounds } from '../attempt-loop.ts';

const DEFAULT_ATTEMPTS = 3;
const ALONE = new Set(['contest', 'improvement']);

/** The limits of a contest, and which runs of it are refused. */
export const contestSettings: LoopSettings = {
  ...attemptBounds,
  options: ContestOptions,
  models: ({ options }) => ContestOptions.parse(options ?? {}).models,
  defaults: { maxIterations: DEFAULT_ATTEMPTS },
  refuses,
};

function refuses({ limits: { maxIterations }, options }: RunSettings): ConfigFault[] {
  const { attempt } = ContestOptions.parse(options ?? {});
  const many = maxIterations === null || maxIterations < 1 || maxIterations > MAX_ATTEMPTS;
  return [
    ...(many ? [faultAt('attempts', maxIterations ?? 'none', `a whole number of attempts, 1 to ${MAX_ATTEMPTS}`)] : []),
    ...(ALONE.has(attempt.loop)
      ? [faultAt('options.attempt.loop', attempt.loop, 'a loop that works at one task')]
      : []),
  ];
}
